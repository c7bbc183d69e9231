// CPU-bound: numbers in a few objects.
const bodies = () =>
  Array.from({ length: 5 }, (_, i) => ({
    x: i * 3.1,
    y: i * 1.7,
    z: i * 0.9,
    vx: 0.01 * i,
    vy: 0.02,
    vz: 0.03 / (i + 1),
    mass: 1 + i,
  }));

function advance(system, dt) {
  for (let i = 0; i < system.length; i++) {
    const a = system[i];
    for (let j = i + 1; j < system.length; j++) {
      const b = system[j];
      const dx = a.x - b.x;
      const dy = a.y - b.y;
      const dz = a.z - b.z;
      const distance = dx * dx + dy * dy + dz * dz + 0.01;
      const magnitude = dt / (distance * Math.sqrt(distance));
      a.vx -= dx * b.mass * magnitude;
      a.vy -= dy * b.mass * magnitude;
      a.vz -= dz * b.mass * magnitude;
      b.vx += dx * a.mass * magnitude;
      b.vy += dy * a.mass * magnitude;
      b.vz += dz * a.mass * magnitude;
    }
  }
  for (const body of system) {
    body.x += dt * body.vx;
    body.y += dt * body.vy;
    body.z += dt * body.vz;
  }
}

export async function run(work) {
  const system = bodies();
  for (let i = 0; i < work * 20_000; i++) advance(system, 0.001);
  if (!Number.isFinite(system[0].x)) throw new Error('the bodies are lost');
}
