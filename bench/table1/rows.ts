/** The rows of Penelope's table 1, in its order, and what the paper says of each in words. */

export interface TableRow {
  readonly application: string;
  /** What the paper calls the input. */
  readonly input: string;
  readonly kind: 'threads' | 'tasks';
  /** Below `harnesses/`. */
  readonly file: string;
  /** Of the harness; its repaired twin, if it has one, ends in `/ok` instead of `/bad`. */
  readonly name: string;
  readonly paper: string;
}

const COLLECTION = 'the size of the parameter goes stale in the middle; an exception';
const SILENT = 'violations predicted, all pass: they are intended';
const RAYTRACER = 'a bug: `checksum1`, wrong synchronization';
const POOL = {
  change: 'a bug of release 1.2, repaired in 1.3: `factory`, in addObject and borrowObject with setFactory',
  close: 'a bug of release 1.2, repaired in 1.3: `factory`, in borrowObject and returnObject with close',
};
const FTP = 'a bug: the timer closes the connection in the middle of `run`; an exception';

const threads = (
  application: string,
  input: string,
  file: string,
  name: string,
  paper: string,
): TableRow => ({
  application,
  input,
  kind: 'threads',
  file,
  name,
  paper,
});

const tasks = (application: string, input: string, folder: string, paper: string): TableRow => ({
  application,
  input,
  kind: 'tasks',
  file: `${folder}/${input}.ts`,
  name: `${input}/bad`,
  paper,
});

const LARGE = 'table1/large.ts';
const METHODS = ['addAll', 'containsAll', 'removeAll', 'retainAll', 'constructor'];

export const ROWS: readonly TableRow[] = [
  ...['data', 'data2', 'data3'].map((input) =>
    threads('elevator', input, LARGE, `elevator ${input}`, SILENT),
  ),
  ...['map1', 'map2'].map((input) => threads('tsp', input, LARGE, `tsp ${input}`, SILENT)),
  ...METHODS.map((input) => threads('vector', input, 'threads/vector.ts', `vector ${input}/bad`, COLLECTION)),
  ...METHODS.map((input) => threads('stack', input, 'threads/stack.ts', `stack ${input}/bad`, COLLECTION)),
  ...['A, 5 threads', 'A, 10 threads', 'B, 5 threads', 'B, 10 threads'].map((input) =>
    threads('raytracer', input, LARGE, `raytracer ${input}/bad`, RAYTRACER),
  ),
  threads('colt', 'dgemm 50 × 50', LARGE, 'colt dgemm 50 × 50', 'no error'),
  threads(
    'matrix',
    '10 × 10',
    'threads/matrix.ts',
    'matrix',
    'a schedule for each shared variable at most (section 2)',
  ),
  tasks('pool', 'pool-borrow-close', 'catalogue', POOL.close),
  tasks('pool', 'pool-return-close', 'catalogue', POOL.close),
  tasks('pool', 'pool-add-set-factory', 'catalogue', POOL.change),
  tasks('pool', 'pool-borrow-set-factory', 'catalogue', POOL.change),
  ...['current-connections', 'current-logins', 'name', 'request', 'writer'].map((input) =>
    tasks('ftpserver', input, 'ftp', FTP),
  ),
];
