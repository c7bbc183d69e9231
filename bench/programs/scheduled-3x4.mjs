// The program of forced-3x4 as fast-check's scheduler wants it.
const add = async (state, s) => {
  for (let i = 0; i < 4; i++) {
    const before = state.balance;
    await s.schedule(Promise.resolve());
    state.balance = before + 1;
  }
};

export const setup = () => ({ balance: 0 });
export const tasks = [add, add, add];
