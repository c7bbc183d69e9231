/** Task switches of an order of steps: neighbours that belong to different operations. */
export function switchesOf(steps: readonly string[]): number {
  const owner = (name: string): string => name.slice(2).split('|')[0]?.split('.').slice(0, 2).join('.') ?? '';
  let count = 0;
  for (let i = 1; i < steps.length; i++)
    if (owner(steps[i] as string) !== owner(steps[i - 1] as string)) count += 1;
  return count;
}
