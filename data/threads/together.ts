/** Events that are one step: an order keeps them behind each other. */

/** The events of an order with those of each group (by event; -1: of none) in one piece, where the one that `placeOf` names stands. */
export function together(
  order: ArrayLike<number>,
  groups: Int32Array,
  placeOf: (parts: readonly number[], group: number) => number,
): readonly number[] {
  const parts = new Map<number, number[]>();
  for (const event of Array.from(order)) {
    const group = groups[event]!;
    if (group < 0) continue;
    const known = parts.get(group);
    if (known) known.push(event);
    else parts.set(group, [event]);
  }
  const places = new Map([...parts].map(([group, all]) => [group, placeOf(all, group)]));
  return Array.from(order).flatMap((event) => {
    const group = groups[event]!;
    if (group < 0) return event;
    return places.get(group) === event ? parts.get(group)! : [];
  });
}
