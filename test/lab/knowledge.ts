/**
 * Which deliveries tell which words of one program: learned from its runs. Names are stable, so what a delivery told
 * in one order it tells in others as well, or something of the same node.
 */
export class Knowledge {
  /** Requests by what was told in their turns, without the values. */
  private readonly tellers = new Map<string, Set<string>>();
  private readonly loud = new Set<string>();
  private readonly quiet = new Set<string>();

  /** `word` was told in the turn of `request`; null: in the first turn. */
  told(word: string, request: string | null): void {
    if (request === null) return;
    this.loud.add(request);
    for (const key of [keyOf(word), nodeOf(word)]) {
      const known = this.tellers.get(key);
      if (known) known.add(request);
      else this.tellers.set(key, new Set([request]));
    }
  }

  /** In the turn of `request` nothing was told. */
  nothing(request: string): void {
    this.quiet.add(request);
  }

  /** The requests that may tell a word. */
  tellersOf(word: string): ReadonlySet<string> {
    return this.tellers.get(keyOf(word)) ?? this.tellers.get(nodeOf(word)) ?? new Set();
  }

  /** The delivery of this request may tell nothing: some run has shown that, or none that it tells anything. */
  isSilent(request: string): boolean {
    return !this.loud.has(request) || this.quiet.has(request);
  }
}

const keyOf = (word: string): string => word.split('=', 1)[0] as string;
const nodeOf = (word: string): string => `node ${/^\d+/.exec(word)?.[0]}`;

/** The request whose turn led to `name`, and that of that one, and so on: names are chains of causes. */
export function isCauseOf(cause: string, name: string): boolean {
  return name.length > cause.length && name.startsWith(cause) && name[cause.length] === '>';
}
