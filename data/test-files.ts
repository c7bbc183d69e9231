/** Where tests and what helps them are, as runners find them. */
const OF_TESTS = /(?:^|\/)(?:tests?|specs?|__tests__|__mocks__|e2e)\/|[.-](?:test|spec)\.[cm]?[jt]sx?$/i;

/** Whether a file is of the tests rather than of what they test, by its name. */
export const isOfTests = (file: string): boolean => OF_TESTS.test(file);

/** The same of a file beside a `test`, which is one of them whatever its name is. */
export const isBesideTest = (file: string, test: string): boolean => file === test || isOfTests(file);
