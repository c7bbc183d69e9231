/** Where tests and what helps them are, as runners find them. */
const OF_TESTS = /(?:^|\/)(?:tests?|specs?|__tests__|__mocks__|e2e)\/|[.-](?:test|spec)\.[cm]?[jt]sx?$/i;

/** Whether a file is of the tests rather than of what they test, by its name. */
export const isOfTests = (file: string): boolean => OF_TESTS.test(file);
