import { requestOf } from '../data/schedule-step.ts';
import type { Branch, Trunk } from './replay/trunk.ts';

/** Task switches of an order of steps: neighbours that belong to different operations. */
export function switchesOf(steps: readonly string[]): number {
  let count = 0;
  for (let i = 1; i < steps.length; i++)
    if (ownerOf(steps[i] as string) !== ownerOf(steps[i - 1] as string)) count += 1;
  return count;
}

/** The same for branches of one trunk: what they share with it is counted once. */
export function switchCounter({ order, steps }: Trunk): (branch: Branch) => number {
  const numbers = new Map<string, number>();
  const owners = Int32Array.from(steps.names, (name) => {
    const owner = ownerOf(name);
    const number = numbers.get(owner) ?? numbers.size;
    numbers.set(owner, number);
    return number;
  });
  const differs = (a: number, b: number): 0 | 1 => (owners[a] === owners[b] ? 0 : 1);
  /** Switches among the first so many steps of the trunk. */
  const counts = new Int32Array(order.length + 1);
  for (let i = 1; i < order.length; i++) counts[i + 1] = counts[i]! + differs(order[i - 1]!, order[i]!);
  return ({ from, tail }) => {
    let count = counts[from] as number;
    let last = from === 0 ? -1 : (order[from - 1] as number);
    for (const step of tail) {
      if (last >= 0) count += differs(last, step);
      last = step;
    }
    return count;
  };
}

function ownerOf(step: string): string {
  return requestOf(step).split('|')[0]?.split('.').slice(0, 2).join('.') ?? '';
}
