/**
 * Which answers of name servers Node knows in a call and puts off to the next check phase: it may be the one to this
 * question, or those to others that were still on their way. The next ones that come are meant.
 */
export class KnownAnswers {
  private readonly owed: { left: number; readonly asked: number }[] = [];
  private readonly behind: (fn: () => void) => void;

  /** `behind` calls when the next check phase has told what it knows. */
  constructor(behind: (fn: () => void) => void) {
    this.behind = behind;
  }

  /** A call made so many known. `asked`: see {@link HostRequests.amidHeads}. */
  add(count: number, asked: number): void {
    const owed = { left: count, asked };
    this.owed.push(owed);
    this.behind(() => {
      owed.left = 0;
    });
  }

  /** One comes: where it was asked for if it was known, else null. */
  take(): number | null {
    while (this.owed[0]?.left === 0) this.owed.shift();
    const [owed] = this.owed;
    if (!owed) return null;
    owed.left -= 1;
    return owed.asked;
  }
}
