/** Which accesses the host made, and by which of its steps. */
import { EventKind, type Trace } from '../data/trace.ts';

const known = new WeakMap<Trace, ReadonlyMap<number, string>>();

/** For each access that the host made, the API of the request whose effect it is: `fs.read`. */
export function hostSteps(trace: Trace): ReadonlyMap<number, string> {
  let steps = known.get(trace);
  if (!steps) known.set(trace, (steps = find(trace)));
  return steps;
}

function find({ events, requests }: Trace): Map<number, string> {
  const steps = new Map<number, string>();
  let api: string | null = null;
  for (let i = 0; i < events.length; i++) {
    const kind = events.kind[i];
    if (kind === EventKind.Effect) api = requests[events.object[i] as number]?.api ?? null;
    else if (kind !== EventKind.Read && kind !== EventKind.Write) api = null;
    else if (api !== null) steps.set(i, api);
  }
  return steps;
}
