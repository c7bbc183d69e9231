/** The three accesses of a cut point of threads, for people. */
import type { CutPoint } from '../../../data/prediction.ts';
import { parsePlace } from '../../../report/phrase.ts';
import type { AccessView, CutPointView } from '../../../report/view.ts';
import type { ThreadReply } from '../../../rescheduler/tokens/protocol.ts';

/** `shown`: a recorded execution, which knows the text of its points. */
export function cutPointView(
  { id, other, pattern, entity, transaction, ...points }: CutPoint,
  shown: ThreadReply | null,
): CutPointView {
  const access = ({ at, access: kind, task }: CutPoint['first']): AccessView => {
    const index = shown?.trace?.names.points.indexOf(at) ?? -1;
    const { text = '', fn = '' } = shown?.sites[index] ?? {};
    return { ...(parsePlace(at) ?? { file: at, line: 1, column: 1 }), access: kind, task, fn, text };
  };
  const { first, remote, second } = points;
  return {
    id,
    pattern,
    entity,
    transaction,
    first: access(first),
    remote: access(remote),
    second: access(second),
    ...(other && { other: { entity: other.entity, remote: access(other.remote) } }),
  };
}
