/** What the loader does with files while a program runs is none of the program's doing. */

let unseen = <T>(work: () => T): T => work();

/** Whoever looks at the program says how it does not look. */
export function keepUnseen(by: typeof unseen): void {
  unseen = by;
}

export const asOurs = <T>(work: () => T): T => unseen(work);
