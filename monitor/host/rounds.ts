/** Calls `then` behind so many rounds of the loop; `later` calls in another round, as if the run were not there. */
export function afterRounds(rounds: number, later: (fn: () => void) => void, then: () => void): void {
  if (rounds > 0) later(() => afterRounds(rounds - 1, later, then));
  else then();
}
