#!/usr/bin/env python3
"""Well-formed HDF5 that carom did not write: everything that reads files reads it or refuses it with a sentence.

  mutations.py CAROM SCENES [SEED [COUNT]]

Runs, comparisons, sweeps and a killed run are changed by h5py, each COUNT times by seeded random mutations of names,
types, ranks, sizes, links, storage, attributes, texts and values, and given to every command that reads such files. What
must not be: a signal, a hang, a control character on the terminal, a sentence of many lines, a byte of another file in
what is printed or written.
"""
import os, random, shutil, subprocess, sys, tempfile
try:
    import h5py, numpy
except ImportError:
    sys.exit(77)

carom, scenes = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
seed, count = int(sys.argv[3]) if len(sys.argv) > 3 else 1, int(sys.argv[4]) if len(sys.argv) > 4 else 12
random.seed(seed)
folder = tempfile.mkdtemp(prefix='carom-mutations-')
os.chdir(folder)
SECRET = 'of-another-file-0123456789'
open('secret.txt', 'w').write(SECRET * 1000)


def run(*arguments, seconds=30):
    return subprocess.run([carom, *arguments], stdin=subprocess.DEVNULL, capture_output=True, timeout=seconds)


def originals():
    ball, kane = scenes + '/bouncing-ball.yaml', scenes + '/kane.yaml'
    made = [('run.h5', ['simulate', ball, '--duration', '0.6']),
            ('packed.h5', ['simulate', kane, '--duration', '0.05', '--set', 'output.compression=1']),
            ('laws.h5', ['compare', ball, '--laws', 'newton,poisson', '--duration', '0.5'])]
    for name, arguments in made:
        assert run(*arguments, '--quiet', '-o', name).returncode == 0, name
    open('sweep.yaml', 'w').write('scene: %s\nvary: {model.restitution: [0, 0.5], law.type: [newton, poisson]}\n'
                                  'measures: [work]\n' % kane)
    assert run('sweep', 'sweep.yaml', '--quiet', '-o', 'sweep.h5').returncode == 0
    shutil.copy('run.h5', 'killed.h5')  # as its writer left it before the end
    with h5py.File('killed.h5', 'r+') as file:
        file.attrs['status'] = 'running'
        del file['checkpoint']
    return [name for name, _ in made] + ['sweep.h5', 'killed.h5']


# ---- mutations ---------------------------------------------------------------------------------------------------

def places(file, kind):
    found = []
    file.visititems(lambda name, item: found.append(name) if isinstance(item, kind) else None)
    return found


def put(file, path, make):
    attributes = dict(file[path].attrs) if path in file else {}
    if path in file:
        del file[path]
    made = make(path)
    if made is not None and random.random() < 0.7:
        for name, value in attributes.items():
            made.attrs[name] = value


def replacements(file, path):
    old = file[path][()] if path in file else numpy.zeros(3)
    rows = old.shape[0] if getattr(old, 'shape', ()) else 3
    numbers = numpy.random.default_rng(random.randrange(1 << 30))
    dataset = lambda data, **more: lambda at: file.create_dataset(at, data=data, **more)
    text = h5py.string_dtype()
    virtual = h5py.VirtualLayout((rows,), 'f8')
    virtual[:] = h5py.VirtualSource('secret.txt', 'x', shape=(rows,))
    plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    plist.set_external(b'secret.txt', 0, 8 * rows)

    def external(at):
        if '/' in at:
            file.require_group(at.rsplit('/', 1)[0])
        h5py.h5d.create(file.id, at.encode(), h5py.h5t.NATIVE_DOUBLE, h5py.h5s.create_simple((rows,)), plist)

    def link(to):
        def make(at):
            file[at] = to
        return make

    return [
        dataset(1.0), dataset(numpy.zeros((rows, 0))), dataset(numpy.zeros(0)), dataset(numpy.zeros((rows, 2, 2))),
        dataset(numpy.zeros(rows, 'f4')), dataset(numpy.zeros(rows, '>f8')), dataset(numpy.zeros(rows, 'i8')),
        dataset(numpy.zeros(rows, 'u1')), dataset(numbers.integers(-9, 9, rows).astype('i4')),
        dataset(numpy.full(max(1, rows - 1), 1e308)), dataset(numpy.full((rows, 3), numpy.nan)),
        dataset(numpy.zeros(rows, [('a', 'f8'), ('b', 'i4')])), dataset(h5py.Empty('f8')),
        dataset(['text'] * rows, dtype=text), dataset('text', dtype=text), dataset(numpy.array([b'x' * 70000])),
        dataset(numpy.zeros(rows), chunks=(1,), fletcher32=True), dataset(numpy.zeros(rows), chunks=(1,), compression='lzf'),
        dataset(numpy.zeros(rows), chunks=(max(1, rows // 2),), maxshape=(None,), compression=1),
        lambda at: file.create_dataset(at, shape=(1 << 45,), dtype='f8', chunks=(1 << 20,)),
        lambda at: file.create_dataset(at, shape=(1 << 30, 1 << 30), dtype='f8', chunks=(1 << 10, 1 << 10)),
        lambda at: file.create_dataset(at, shape=(1 << 50,), dtype='f8', chunks=(1 << 20,), compression=9),
        lambda at: file.create_virtual_dataset(at, virtual), external,
        lambda at: file.create_group(at), link(h5py.SoftLink('/')), link(h5py.SoftLink('/' + path)),
        link(h5py.ExternalLink('secret.txt', '/')), link(h5py.ExternalLink('run.h5', '/time')), link(file['/']),
        lambda at: None,
    ]


def change_values(file, path):
    item = file[path]
    if not item.shape or item.dtype.kind not in 'fiu' or item.size == 0:
        return
    rows = numpy.asarray(item[()])
    wild = [0, 1, 255, -1, 2**31 - 1, 2**62] if item.dtype.kind in 'iu' else [0, -0.0, 1e300, -1e300, numpy.nan, numpy.inf]
    flat = rows.reshape(-1)
    for _ in range(random.randrange(1, 6)):
        with numpy.errstate(all='ignore'):
            flat[random.randrange(flat.size)] = numpy.array(random.choice(wild)).astype(item.dtype, casting='unsafe')
    item[...] = rows


def change_attribute(file, item):
    names = list(item.attrs) or ['names']
    name = random.choice(names + ['names', 'units', 'states', 'directions', 'format', 'format_version', 'every', 'step'])
    values = ['', 'a' * 100000, '\x1b[2Jclear\x07', 'x\ny', 'carom-sweep', 'carom-run', '../../etc', '/', '.', 0, -1, 2**62,
              numpy.nan, numpy.inf, 1e-300, numpy.zeros(5), numpy.zeros(0), h5py.Empty('f8'), ['a'] * 3, ['a', '\x9b31m'],
              numpy.array([b'fixed']), b'carom-run', numpy.float32(1), True]
    if random.random() < 0.2 and name in item.attrs:
        del item.attrs[name]
    else:
        item.attrs[name] = random.choice(values)


def mutate(file):
    datasets, groups = places(file, h5py.Dataset), places(file, h5py.Group)
    path = random.choice(datasets)
    kind = random.randrange(8)
    if kind <= 2:
        put(file, path, random.choice(replacements(file, path)))
    elif kind == 3:
        change_values(file, path)
    elif kind == 4:
        change_attribute(file, file[random.choice(datasets + groups + ['/'] * 5)])
    elif kind == 5:
        del file[random.choice(datasets + groups)]
    elif kind == 6:
        into = random.choice(groups + ['/'])
        name = random.choice(['time', 'zzz', 'pose', 'gap', 'a\x1b[1m', 'ä', 'x' * 3000, 'q', 'laws', 'checkpoint'])
        at = (into + '/' + name).replace('//', '/')
        if at not in file:
            put(file, at, random.choice(replacements(file, at)))
    else:
        into = file[random.choice(groups + ['/'])]
        into[random.choice(['loop', 'again'])] = file[random.choice(groups + datasets + ['/'])]


def damage(path):
    with open(path, 'r+b') as file:
        size = os.path.getsize(path)
        if random.random() < 0.3:
            file.truncate(random.randrange(size))
            return
        for _ in range(random.randrange(1, 20)):
            file.seek(random.randrange(size))
            file.write(bytes([random.randrange(256)]))


# ---- what reads them ---------------------------------------------------------------------------------------------

def commands(name):
    shown = [['inspect', 'x.h5'], ['inspect', 'x.h5', '--json'], ['report', 'x.h5', '-o', 'out.html', '--force']]
    if name == 'sweep.h5':
        return shown
    run_only = [['inspect', 'x.h5', '--impacts'], ['inspect', 'x.h5', '--csv', 'time,q,energy/total'],
                ['inspect', 'x.h5', '--scene'],
                ['export', 'x.h5', '--xdmf', '-o', 'out.xdmf', '--force'],
                ['simulate', '--resume', 'x.h5', '-o', 'out.h5', '--force', '--quiet', '--duration', '0.7']]
    if name == 'laws.h5':
        return shown + [['inspect', 'x.h5', '--law', 'newton', '--impacts'], ['recover', 'x.h5.part', '-o', 'out.h5', '--force'],
                        ['export', 'x.h5', '--xdmf', '--law', 'poisson', '-o', 'out.xdmf', '--force']]
    return shown + run_only + [['recover', 'x.h5.part', '-o', 'out.h5', '--force']]


def faults(arguments):
    try:
        done = run(*arguments)
    except subprocess.TimeoutExpired:
        return ['never ends']
    told = []
    if done.returncode not in (0, 1, 2, 3):
        told.append('exit code %d' % done.returncode)
    error = done.stderr.decode('utf-8', 'replace')
    if any(ord(c) < 32 and c not in '\n\t' or 127 <= ord(c) < 160 for c in error + done.stdout.decode('utf-8', 'replace')):
        told.append('control characters')
    if done.returncode != 0 and not error.strip():
        told.append('no word')
    if len(error) > 3000:
        told.append('%d characters of error' % len(error))
    if done.returncode == 1 and 'bad_alloc' in error:
        told.append('no figure: ' + error.strip())
    written = b''.join(open(name, 'rb').read() for name in os.listdir('.') if name.startswith('out.'))
    if SECRET.encode() in done.stdout + done.stderr + written:
        told.append('bytes of another file')
    return told


def main():
    bad = tried = refused = 0
    for name in originals():
        for number in range(count):
            shutil.copy(name, 'x.h5')
            try:
                if random.random() < 0.15:
                    damage('x.h5')
                else:
                    with h5py.File('x.h5', 'r+') as file:
                        for _ in range(random.choice([1, 1, 1, 2, 3])):
                            mutate(file)
            except (KeyError, ValueError, RuntimeError, TypeError, OSError, MemoryError):
                pass  # two mutations that do not go together
            shutil.copy('x.h5', 'x.h5.part')
            for arguments in commands(name):
                for left in os.listdir('.'):
                    if left.startswith('out.'):
                        os.remove(left)
                tried += 1
                found = faults(arguments)
                if found:
                    bad += 1
                    kept = '%s-%d-%s-%d' % (arguments[0], seed, name, number)
                    shutil.copy('x.h5', kept)
                    print('%s: %s: %s' % (' '.join(arguments), os.path.join(folder, kept), '; '.join(found)), flush=True)
    print('seed %d: %d commands on mutated files, %d faults' % (seed, tried, bad))
    if not bad:
        os.chdir('/')
        shutil.rmtree(folder)
    return bad != 0


sys.exit(main())
