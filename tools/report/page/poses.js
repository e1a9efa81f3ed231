// Where the bodies of a run are: at a frame, at a time between frames, over the whole run.
"use strict";

carom.poses = (() => {
  const rotated = ([w, x, y, z], [a, b, c]) => {
    const [tx, ty, tz] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
    return [a + w * tx + y * tz - z * ty, b + w * ty + z * tx - x * tz, c + w * tz + x * ty - y * tx];
  };

  // The motion of a run: where a point of a body is, at a frame or at the time it is set to.
  const track = (run, planar) => {
    const time = carom.column(run.motion.time), pose = carom.column(run.motion.pose);
    const size = planar ? 3 : 7, bodies = pose.length / time.length / size;
    const now = new Float64Array(bodies * size);
    const place = (from, offset, at) => {
      if (planar) {
        const c = Math.cos(from[offset + 2]), s = Math.sin(from[offset + 2]);
        return [from[offset] + c * at[0] - s * at[1], from[offset + 1] + s * at[0] + c * at[1], 0];
      }
      const turned = rotated(from.subarray(offset + 3, offset + 7), at);
      return [from[offset] + turned[0], from[offset + 1] + turned[1], from[offset + 2] + turned[2]];
    };
    return {
      run, time, bodies, size, pose,
      set(t) {
        const next = Math.min(time.length - 1, Math.max(1, carom.charts.lowerBound(time, t)));
        const i = Math.max(0, next - 1), span = time[next] - time[i];
        const share = span > 0 ? Math.min(1, Math.max(0, (t - time[i]) / span)) : 0;
        const a = i * bodies * size, b = next * bodies * size;
        for (let k = 0; k < now.length; ++k) now[k] = pose[a + k] + share * (pose[b + k] - pose[a + k]);
        if (!planar) for (let body = 0; body < bodies; ++body) straighten(a, b, body, share);
      },
      poseOf: (body) => body < 0 ? {place: [0, 0, 0], turn: [0, 0, 0, 1]}
        : {place: [...now.subarray(body * size, body * size + 3)], turn: [now[body * size + 4], now[body * size + 5], now[body * size + 6], now[body * size + 3]]},
      at: (body, at) => body < 0 ? at : place(now, body * size, at),
      atFrame: (frame, body, at) => body < 0 ? at : place(pose, (frame * bodies + body) * size, at),
      direction: (body, d) => body < 0 ? d : planar ? turnedInPlane(now[body * size + 2], d) : rotated(now.subarray(body * size + 3, body * size + 7), d),
    };
    // Quaternions the short way round, and of length one.
    function straighten(a, b, body, share) {
      const o = body * size + 3;
      let dot = 0, norm = 0;
      for (let k = 0; k < 4; ++k) dot += pose[a + o + k] * pose[b + o + k];
      for (let k = 0; k < 4; ++k) {
        now[o + k] = (1 - share) * pose[a + o + k] + (dot < 0 ? -share : share) * pose[b + o + k];
        norm += now[o + k] ** 2;
      }
      for (let k = 0; k < 4; ++k) now[o + k] /= Math.sqrt(norm) || 1;
    }
  };
  // The others stand where they are in every run, and are drawn as the ground is.
  const bodiesThatMove = (tracks) => {
    const movers = new Set();
    for (const {pose, bodies, size, time} of tracks) {
      for (let body = 0; body < bodies; ++body) {
        const stays = (frame) => { for (let k = body * size; k < (body + 1) * size; ++k) if (pose[frame * bodies * size + k] !== pose[k]) return false; return true; };
        for (let frame = 1; frame < time.length && !movers.has(body); ++frame) if (!stays(frame)) movers.add(body);
      }
    }
    return movers;
  };
  const turnedInPlane = (angle, [x, y]) => [Math.cos(angle) * x - Math.sin(angle) * y, Math.sin(angle) * x + Math.cos(angle) * y, 0];

  // How far a shape reaches from the origin of its body.
  const reachOf = (shape) => {
    const half = shape.kind === "rod" ? shape.length / 2 : shape.kind === "block" ? Math.hypot(...shape.size) / 2
      : shape.kind === "polygon" ? Math.max(...shape.vertices.map(([x, y]) => Math.hypot(x, y)))
      : shape.kind === "polyhedron" ? Math.max(...shape.corners.map((p) => Math.hypot(...p))) : 0;
    return Math.hypot(...shape.at) + half + (shape.radius ?? 0);
  };

  // A box around all that moves, over the whole run.
  const boundsOf = (tracks, drawing) => {
    const reach = new Array(drawing.bodies.length).fill(0), still = new Set();
    for (const shape of drawing.shapes) {
      if (shape.body < 0) continue;
      if (shape.kind === "plane") still.add(shape.body);
      else reach[shape.body] = Math.max(reach[shape.body], reachOf(shape));
    }
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    for (const t of tracks) {
      const every = Math.max(1, Math.floor(t.time.length / 200));
      for (let frame = 0; frame < t.time.length; frame += every) {
        for (let body = 0; body < t.bodies; ++body) {
          if (still.has(body)) continue;
          const p = t.atFrame(frame, body, [0, 0, 0]);
          for (let k = 0; k < 3; ++k) {
            low[k] = Math.min(low[k], p[k] - reach[body]);
            high[k] = Math.max(high[k], p[k] + reach[body]);
          }
        }
      }
    }
    for (const joint of drawing.joints) {
      if (joint.body >= 0) continue;
      for (let k = 0; k < 3; ++k) { low[k] = Math.min(low[k], joint.at[k]); high[k] = Math.max(high[k], joint.at[k]); }
    }
    return low.every(Number.isFinite) ? {low, high} : {low: [-1, -1, -1], high: [1, 1, 1]};
  };

  // Planes that bodies reach into, as contacts of some of their points only: these are drawn as an edge, not as ground.
  const planesReachedInto = (tracks, drawing, span) => new Set(drawing.shapes.filter((shape) => shape.kind === "plane" && shape.body < 0 && tracks.some((t) => {
    const every = Math.max(1, Math.floor(t.time.length / 100));
    for (let frame = 0; frame < t.time.length; frame += every) {
      for (const point of drawing.points) {
        if (point.body < 0) continue;
        const p = t.atFrame(frame, point.body, point.at);
        if (shape.normal.reduce((height, n, k) => height + n * (p[k] - shape.at[k]), 0) < -0.02 * span) return true;
      }
    }
    return false;
  })));

  return {track, rotated, bodiesThatMove, boundsOf, planesReachedInto};
})();
