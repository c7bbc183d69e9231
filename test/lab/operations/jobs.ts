/** Work that is answered once: crypto, WebCrypto, compression, DNS, WebAssembly. */
import crypto from 'node:crypto';
import dns from 'node:dns';
import zlib from 'node:zlib';
import { ends, type Operation, type Operations, type Story, settles } from './operation.ts';

const DATA = Buffer.from('data');
const MODULE = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
const { WebAssembly: wasm } = globalThis as unknown as { WebAssembly: any };
/** Nobody listens there: the answer is that. */
const NO_SERVER = '127.0.0.1:1';
dns.setServers([NO_SERVER]);
dns.promises.setServers([NO_SERVER]);

// Keys are made before anything is watched.
const ed = crypto.generateKeyPairSync('ed25519');
const x = crypto.generateKeyPairSync('x25519');
const kem = keyPair('ml-kem-512');
const sealed = kem && api('encapsulate')!(kem.publicKey);
const signature = crypto.sign(null, DATA, ed.privateKey);
const subtle = crypto.webcrypto.subtle as any;
const AES = { name: 'AES-GCM', iv: Buffer.alloc(12) };
const HMAC = { name: 'HMAC', hash: 'SHA-256' };
const ALL = ['encrypt', 'decrypt', 'wrapKey', 'unwrapKey'];
const [aes, hmac, wrapped, sealedText, tag, base, kemKeys] = await webKeys();

type Call = (...args: unknown[]) => any;

/** What newer releases have and older ones do not. */
function api(name: string): Call | undefined {
  return (crypto as unknown as Record<string, Call>)[name];
}

function keyPair(type: string): crypto.KeyPairKeyObjectResult | null {
  if (!api('encapsulate')) return null;
  return (crypto.generateKeyPairSync as Call)(type) as crypto.KeyPairKeyObjectResult;
}

async function webKeys(): Promise<any[]> {
  const aes = await subtle.generateKey({ name: 'AES-GCM', length: 128 }, true, ALL);
  const hmac = await subtle.importKey('raw', DATA, HMAC, true, ['sign', 'verify']);
  const base = await subtle.importKey('raw', DATA, 'PBKDF2', false, ['deriveKey', 'deriveBits']);
  const kemKeys =
    subtle.encapsulateKey &&
    (await subtle.generateKey('ML-KEM-512', true, [
      'encapsulateBits',
      'encapsulateKey',
      'decapsulateBits',
      'decapsulateKey',
    ]));
  return [
    aes,
    hmac,
    await subtle.wrapKey('raw', aes, aes, AES),
    await subtle.encrypt(AES, aes, DATA),
    await subtle.sign('HMAC', hmac, DATA),
    base,
    kemKeys,
  ];
}

const PBKDF2 = { name: 'PBKDF2', hash: 'SHA-256', salt: DATA, iterations: 2 };

/** Rows of crypto with the arguments before the callback. */
const CRYPTO: Readonly<Record<string, () => unknown[]>> = {
  argon2: () => [
    'argon2id',
    { message: DATA, nonce: Buffer.alloc(16), parallelism: 1, tagLength: 16, memory: 8, passes: 1 },
  ],
  checkPrime: () => [7n],
  decapsulate: () => [kem?.privateKey, sealed?.ciphertext],
  diffieHellman: () => [{ privateKey: x.privateKey, publicKey: x.publicKey }],
  encapsulate: () => [kem?.publicKey],
  generateKey: () => ['hmac', { length: 64 }],
  generateKeyPair: () => ['ed25519', {}],
  generatePrime: () => [16],
  hkdf: () => ['sha256', DATA, DATA, DATA, 8],
  pbkdf2: () => [DATA, DATA, 500, 8, 'sha1'],
  prng: () => [4],
  pseudoRandomBytes: () => [4],
  randomBytes: () => [4],
  rng: () => [4],
  randomFill: () => [Buffer.alloc(4)],
  scrypt: () => [DATA, DATA, 8, { N: 2 }],
  sign: () => [null, DATA, ed.privateKey],
  verify: () => [null, DATA, ed.publicKey, signature],
};

/** Rows of WebCrypto with their arguments. */
const SUBTLE: Readonly<Record<string, () => unknown[]>> = {
  decapsulateBits: () => ['ML-KEM-512', kemKeys.privateKey, sealed?.ciphertext],
  decapsulateKey: () => ['ML-KEM-512', kemKeys.privateKey, sealed?.ciphertext, HMAC, true, ['sign']],
  decrypt: () => [AES, aes, sealedText],
  deriveBits: () => [PBKDF2, base, 64],
  deriveKey: () => [PBKDF2, base, { name: 'AES-GCM', length: 128 }, true, ALL],
  digest: () => ['SHA-256', DATA],
  encapsulateBits: () => ['ML-KEM-512', kemKeys.publicKey],
  encapsulateKey: () => ['ML-KEM-512', kemKeys.publicKey, HMAC, true, ['sign']],
  encrypt: () => [AES, aes, DATA],
  exportKey: () => ['raw', aes],
  generateKey: () => [{ name: 'AES-GCM', length: 128 }, true, ALL],
  getPublicKey: () => [kemKeys.privateKey, ['encapsulateBits', 'encapsulateKey']],
  importKey: () => ['raw', DATA, HMAC, true, ['sign']],
  sign: () => ['HMAC', hmac, DATA],
  unwrapKey: () => ['raw', wrapped, aes, AES, { name: 'AES-GCM', length: 128 }, true, ALL],
  verify: () => ['HMAC', hmac, tag, DATA],
  wrapKey: () => ['raw', aes, aes, AES],
};

const QUERIES = [
  ...['resolve', 'resolve4', 'resolve6', 'resolveAny', 'resolveCaa', 'resolveCname', 'resolveMx'],
  ...['resolveNaptr', 'resolveNs', 'resolvePtr', 'resolveSoa', 'resolveSrv', 'resolveTlsa', 'resolveTxt'],
];

function operations(): Operations {
  const found: Record<string, Operation> = {};
  for (const [name, args] of Object.entries(CRYPTO))
    if (api(name)) found[`crypto.${name}`] = (_, story) => void api(name)!(...args(), ends(story));
  for (const [name, args] of Object.entries(SUBTLE))
    if (subtle[name]) found[`subtle.${name}`] = (_, story) => settles(story, subtle[name](...args()));
  return found;
}

/** Asks all kinds of questions in turn. */
const query =
  (ask: (type: string) => unknown): Operation =>
  ({ n, id }) =>
    ask(QUERIES[(n + 4 * id) % QUERIES.length]!);

/** One write to a compressor after the other. */
function compresses(make: () => zlib.Gzip | zlib.BrotliCompress): Operation {
  return (_, { tell, done }) => {
    const stream = make();
    stream.write('abc', () => tell('written'));
    stream.on('data', () => {}).on('end', () => done());
    stream.end();
  };
}

/** Ends of compression in one call. */
const inOne =
  (start: (callback: (error: unknown, value: Buffer) => void) => void) => (_: unknown, story: Story) =>
    start(ends(story, (bytes) => bytes.length > 0));

const zstd = (zlib as unknown as { zstdCompress?: Call; createZstdDecompress?: Call }).zstdCompress;
const zipped = zlib.gzipSync('abc');
const brotli = zlib.brotliCompressSync('abc');

export const jobs: Operations = {
  ...operations(),
  'crypto.randomInt': (_, story) => {
    // Node keeps a store of random numbers: it is full, so that the answer comes in a tick.
    if (++drawn % 512 === 0) for (let i = 0; i < 1024; i++) crypto.randomInt(9);
    crypto.randomInt(9, ends(story));
  },
  'zlib.gzip': inOne((k) => zlib.gzip('abc', k)),
  'zlib.gunzip': inOne((k) => zlib.gunzip(zipped, k)),
  'zlib.gunzip of something else': (_, story) => zlib.gunzip(DATA, ends(story)),
  'zlib.brotli': inOne((k) => zlib.brotliCompress('abc', k)),
  'zlib.unbrotli': inOne((k) => zlib.brotliDecompress(brotli, k)),
  ...(zstd ? { 'zlib.zstd': inOne((k) => zstd('abc', k)) } : {}),
  'gzip stream': compresses(() => zlib.createGzip()),
  'brotli stream': compresses(() => zlib.createBrotliCompress()),
  'dns.lookup': (_, story) => dns.lookup('localhost', ends(story)),
  'dns.promises.lookup': (_, story) => settles(story, dns.promises.lookup('localhost')),
  'dns.lookup of an address': (_, story) => dns.lookup('127.0.0.1', ends(story)),
  'dns.lookupService': (_, story) => dns.lookupService('127.0.0.1', 80, ends(story)),
  'dns.promises.lookupService': (_, story) => settles(story, dns.promises.lookupService('127.0.0.1', 80)),
  'dns.resolve': (scene, story) =>
    query((type) => (dns as any)[type]('example.test', ends(story)))(scene, story),
  'dns.promises.resolve': (scene, story) =>
    query((type) => settles(story, (dns.promises as any)[type]('example.test')))(scene, story),
  'Resolver.resolve': (scene, story) => {
    const resolver = new dns.Resolver() as any;
    resolver.setServers([NO_SERVER]);
    query((type) => resolver[type]('example.test', ends(story)))(scene, story);
  },
  'promises.Resolver.resolve': (scene, story) => {
    const resolver = new dns.promises.Resolver() as any;
    resolver.setServers([NO_SERVER]);
    query((type) => settles(story, resolver[type]('example.test')))(scene, story);
  },
  'dns.reverse': (_, story) => dns.reverse('127.0.0.1', ends(story)),
  'dns.promises.reverse': (_, story) => settles(story, dns.promises.reverse('127.0.0.1')),
  'WebAssembly.compile': (_, story) => settles(story, wasm.compile(MODULE)),
  'WebAssembly.instantiate': (_, story) => settles(story, wasm.instantiate(MODULE)),
};

/** A module with one function: of one without any the engine tells at once what came in a stream. */
const FUNCTION = new Uint8Array([
  ...MODULE,
  ...[1, 5, 1, 0x60, 0, 1, 0x7f],
  ...[3, 2, 1, 0],
  ...[10, 6, 1, 4, 0, 0x41, 1, 0x0b],
]);

/** A response with it, in two parts. */
const response = (): unknown => {
  const { Response } = globalThis as unknown as { Response: new (body: unknown, options: object) => unknown };
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(FUNCTION.slice(0, 5));
      controller.enqueue(FUNCTION.slice(5));
      controller.close();
    },
  });
  return new Response(body, { headers: { 'content-type': 'application/wasm' } });
};

/** Added later. */
export const streaming: Operations = {
  'WebAssembly.compileStreaming': (_, story) => settles(story, wasm.compileStreaming(response())),
  'WebAssembly.instantiateStreaming': (_, story) =>
    settles(story, wasm.instantiateStreaming(Promise.resolve(response()))),
};

let drawn = 0;
crypto.randomInt(9);
