const owners = new Map<string, string>();
/** Names are few and asked for again and again; this many are kept. */
const MOST_OWNERS = 100_000;

/** Task switches of an order of steps: neighbours that belong to different operations. */
export function switchesOf(steps: readonly string[]): number {
  let count = 0;
  for (let i = 1; i < steps.length; i++)
    if (ownerOf(steps[i] as string) !== ownerOf(steps[i - 1] as string)) count += 1;
  return count;
}

function ownerOf(step: string): string {
  let owner = owners.get(step);
  if (owner === undefined) {
    if (owners.size >= MOST_OWNERS) owners.clear();
    owner = step.slice(2).split('|')[0]?.split('.').slice(0, 2).join('.') ?? '';
    owners.set(step, owner);
  }
  return owner;
}
