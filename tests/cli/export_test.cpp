// export as a user runs it.

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/cli/program.h"

using namespace carom::testing;
namespace fs = std::filesystem;

TEST_CASE("export --xdmf refers to the run file beside it") {
  const std::string path = free_path("points.h5");
  REQUIRE(run_carom("simulate " + ball_file() + " -o " + path + " --quiet").code == 0);
  const std::string side = fs::path(path).replace_extension(".xdmf").string();
  const std::string outlines = fs::path(path).replace_extension(".outlines.bin").string();
  fs::remove(side);
  fs::remove(outlines);
  REQUIRE(run_carom("export --xdmf " + path).code == 0);
  std::ostringstream text;
  text << std::ifstream(side).rdbuf();
  const std::string xdmf = text.str();
  CHECK(xdmf.find(">points.h5:/bodies/ball/pose<") != std::string::npos);
  CHECK(xdmf.find("<Time Value=\"1\"/>") != std::string::npos);
  CHECK(xdmf.find("Name=\"velocity\" AttributeType=\"Vector\"") != std::string::npos);
  CHECK(run_carom("export --xdmf " + path).code == 2);  // exists
  CHECK(run_carom("export " + path).code == 2);         // no format
  if (std::system("/usr/bin/python3 -c 'import h5py, numpy' 2>/dev/null") != 0) return;
  // Every slab names rows that are there.
  const std::string script = write_file("xdmf.py", R"(
import os, sys, h5py, numpy, xml.etree.ElementTree as tree
side = sys.argv[1]
folder = os.path.dirname(side)
slabs = [item for item in tree.parse(side).iter('DataItem') if item.get('ItemType') == 'HyperSlab']
assert len(slabs) == 101 * 3
for slab in slabs:
    choice, data = list(slab)
    name, path = data.text.split(':')
    dataset = h5py.File(os.path.join(folder, name))[path]
    n = dataset.ndim
    numbers = [int(x) for x in choice.text.split()]
    start, stride, count = numbers[:n], numbers[n:2 * n], numbers[2 * n:]
    assert list(dataset.shape) == [int(x) for x in data.get('Dimensions').split()]
    assert [int(x) for x in slab.get('Dimensions').split()] == count
    assert all(s + c <= e for s, c, e in zip(start, count, dataset.shape))

# Velocities and outlines are where the bytes say, frame by frame: a circle about the ball, turned as it is.
def numbers(item):
    shape = [int(n) for n in item.get('Dimensions').split()]
    kind = {'Float': '<f4', 'Int': '<i4'}[item.get('NumberType')]
    with open(os.path.join(folder, item.text), 'rb') as file:
        file.seek(int(item.get('Seek')))
        return numpy.fromfile(file, kind, numpy.prod(shape)).reshape(shape)
run = h5py.File(side[:-5] + '.h5')
frames = [grid for grid in tree.parse(side).iter('Grid') if grid.get('CollectionType') == 'Spatial']
assert len(frames) == len(run['time'])
for frame, pose, u in zip(frames, run['bodies/ball/pose'], run['u']):
    parts = {grid.get('Name'): grid for grid in frame.findall('Grid')}
    vectors = {a.get('Name'): a.find('DataItem') for a in parts['ball'].findall('Attribute')}
    assert numpy.allclose(numbers(vectors['velocity']), [[u[0], u[1], 0]], atol=1e-5)
    assert numpy.allclose(numbers(vectors['axis']), [[numpy.cos(pose[2]), numpy.sin(pose[2]), 0]], atol=1e-6)
    points = numbers(parts['outlines'].find('Geometry/DataItem'))
    body = numbers(parts['outlines'].find('Attribute/DataItem'))
    assert len(points) == 2 * len(body) == 2 * int(parts['outlines'].find('Topology').get('NumberOfElements'))
    circle = points[:64] - [pose[0], pose[1], 0]
    assert numpy.allclose(numpy.hypot(circle[:, 0], circle[:, 1]), 0.1, atol=1e-5)
    assert set(body) == {0}
    # The floor stays: all frames refer to the same bytes.
    floor = parts['fixed outlines']
    assert set(numbers(floor.find('Attribute/DataItem'))) == {-1}
    assert numpy.allclose(numbers(floor.find('Geometry/DataItem'))[:, 1], 0, atol=1e-6)
    assert floor.find('Geometry/DataItem').get('Seek') == '%d' % (4 * (len(body) + 1))
)");
  CHECK(std::system(("/usr/bin/python3 " + script + " " + side).c_str()) == 0);
}

TEST_CASE("arrows of motion in space have the axes of the world, whatever those of the run file") {
  if (std::system("/usr/bin/python3 -c 'import h5py, numpy' 2>/dev/null") != 0) return;
  const std::string path = free_path("spin.h5"), side = fs::path(path).replace_extension(".xdmf").string();
  const std::string scene = write_file("spin.yaml", R"(
gravity: [0, 0, 0]
bodies:
  top: {shape: block, size: [0.3, 0.2, 0.1], mass: 1, orientation: {axis: [1, 2, 3], angle: 1}, angular_velocity: [3, 1, -5],
        velocity: [1, 2, 3], masses: [{at: [0.1, 0, 0.05], mass: 0.5}]}
integrator: {step: 1e-3, duration: 0.05}
)");
  REQUIRE(run_carom("simulate " + scene + " -o " + path + " --quiet").code == 0);
  REQUIRE(run_carom("export --force --xdmf " + path).code == 0);
  const std::string script = write_file("spin.py", R"(
import os, sys, h5py, numpy, xml.etree.ElementTree as tree
side = sys.argv[1]
run = h5py.File(side[:-5] + '.h5')
def rotation(q):
    w, v = q[0], q[1:]
    cross = numpy.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
    return numpy.eye(3) + 2 * w * cross + 2 * cross @ cross
frames = [grid for grid in tree.parse(side).iter('Grid') if grid.get('CollectionType') == 'Spatial']
assert len(frames) == len(run['time'])
for frame, pose, u in zip(frames, run['bodies/top/pose'], run['u']):
    top = [grid for grid in frame.findall('Grid') if grid.get('Name') == 'top'][0]
    item = [a.find('DataItem') for a in top.findall('Attribute') if a.get('Name') == 'angular_velocity'][0]
    with open(os.path.join(os.path.dirname(side), item.text), 'rb') as file:
        file.seek(int(item.get('Seek')))
        arrow = numpy.fromfile(file, '<f4', 3)
    assert numpy.allclose(arrow, rotation(pose[3:]) @ u[3:], atol=1e-5)
)");
  CHECK(std::system(("/usr/bin/python3 " + script + " " + side).c_str()) == 0);
}

TEST_CASE("export takes one law of a comparison") {
  const std::string path = free_path("export-laws.h5");
  REQUIRE(run_carom("compare " + ball_file() + " --laws newton,poisson --quiet -o " + path).code == 0);
  const Run unnamed = run_carom("export --xdmf " + path);
  CHECK(unnamed.code == 2);
  CHECK(unnamed.err.find("--law NAME") != std::string::npos);
  const Run wrong = run_carom("export --xdmf " + path + " --law newtom");
  CHECK(wrong.code == 2);
  CHECK(wrong.err.find("newton") != std::string::npos);
  const Run taken = run_carom("export --xdmf --force " + path + " --law newton");
  CAPTURE(taken.err);
  REQUIRE(taken.code == 0);
  const std::string side = fs::path(path).replace_filename("export-laws-newton.xdmf").string();
  std::ostringstream text;
  text << std::ifstream(side).rdbuf();
  CHECK(text.str().find(">export-laws.h5:/laws/newton/bodies/ball/pose<") != std::string::npos);
  fs::remove(side);
}

TEST_CASE("an export that cannot be written whole leaves nothing behind") {
  const std::string run = free_path("whole.h5"), side = free_path("side.xdmf"),
                    outlines = free_path("side.outlines.bin");
  REQUIRE(run_carom("simulate " + ball_file() + " --quiet -o " + run).code == 0);
  const Run failed = run_carom("export " + run + " --xdmf -o " + side, "trap '' XFSZ; ulimit -f 1;");
  CHECK(failed.code == 1);
  CHECK(failed.err.find("side.xdmf: cannot be written") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(outlines));
  for (const std::string& path : {side, outlines}) CHECK_FALSE(std::filesystem::exists(path + ".writing"));
}

TEST_CASE("a file with the name under which an export is written stays as it is") {
  const std::string run = free_path("beside.h5"), side = free_path("beside.xdmf"), kept = side + ".writing";
  REQUIRE(run_carom("simulate " + ball_file() + " --quiet -o " + run).code == 0);
  std::ofstream(kept) << "mine";
  CHECK(run_carom("export " + run + " --xdmf --force -o " + side).code == 0);
  CHECK(fs::file_size(side) > 1000);
  CHECK(fs::file_size(kept) == 4);
  CHECK_FALSE(fs::exists(kept + "2"));
  fs::remove(kept);
}
