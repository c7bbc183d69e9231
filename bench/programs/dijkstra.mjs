// Pointer-heavy: shortest paths over a graph of objects, with a binary heap.
class Heap {
  items = [];

  push(node, distance) {
    const { items } = this;
    let i = items.push({ node, distance }) - 1;
    while (i > 0) {
      const up = (i - 1) >> 1;
      if (items[up].distance <= items[i].distance) break;
      [items[up], items[i]] = [items[i], items[up]];
      i = up;
    }
  }

  pop() {
    const { items } = this;
    const top = items[0];
    const last = items.pop();
    if (items.length === 0) return top;
    items[0] = last;
    for (let i = 0; ; ) {
      let least = i;
      for (const child of [2 * i + 1, 2 * i + 2])
        if (child < items.length && items[child].distance < items[least].distance) least = child;
      if (least === i) return top;
      [items[least], items[i]] = [items[i], items[least]];
      i = least;
    }
  }
}

function graph(size) {
  const nodes = Array.from({ length: size }, (_, id) => ({ id, edges: [], distance: Infinity }));
  for (const node of nodes)
    for (let k = 1; k <= 4; k++)
      node.edges.push({ to: nodes[(node.id * k * 7 + k * 13) % size], weight: ((node.id * k) % 9) + 1 });
  return nodes;
}

function shortest(nodes, from) {
  for (const node of nodes) node.distance = Infinity;
  from.distance = 0;
  const heap = new Heap();
  heap.push(from, 0);
  while (heap.items.length > 0) {
    const { node, distance } = heap.pop();
    if (distance > node.distance) continue;
    for (const { to, weight } of node.edges) {
      const through = distance + weight;
      if (through >= to.distance) continue;
      to.distance = through;
      heap.push(to, through);
    }
  }
}

export async function run(work) {
  const nodes = graph(2000);
  for (let i = 0; i < work * 20; i++) shortest(nodes, nodes[i % nodes.length]);
  if (nodes[1].distance < 0) throw new Error('no such distance');
}
