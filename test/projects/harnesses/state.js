export const runs = { count: 0 };
