// The program of forced-2x1 as fast-check's scheduler wants it.
const add = async (state, s) => {
  const before = state.balance;
  await s.schedule(Promise.resolve());
  state.balance = before + 1;
};

export const setup = () => ({ balance: 0 });
export const tasks = [add, add];
