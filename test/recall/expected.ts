/**
 * What is to be told of the programs of `test/projects/recall`, read off their text; docs/recall.md says for which classes before they
 * were run. Each is a file with a test `racy`, of which one finding has to be told, and a test `repaired`, which has to be silent.
 */

/** What a finding has to say: the entity that the race is about, or where a test that hangs waits. */
export type Cause = { readonly entity: RegExp } | { readonly waits: RegExp };

export const EXPECTED: Readonly<Record<string, Readonly<Record<string, Cause>>>> = {
  /** Tests that hang while servers, sockets or watchers are open. */
  hangs: {
    appears: { waits: /await this\.appears\(/ },
    backlog: { waits: /await once\(socket, 'end'\)/ },
    connection: { waits: /once\('open', resolve\)/ },
    drain: { waits: /await once\(this, 'drain'\)/ },
    job: { waits: /await once\(job, 'done'\)/ },
    'nested-limit': { waits: /await this\.limit\(/ },
    permits: { waits: /this\.waiting\.push\(resolve\)/ },
    ready: { waits: /await once\(this\.database, 'open'\)/ },
    transfers: { waits: /waits for Mutex/ },
  },
  /** Races behind a time-out, a retry, a new connection, an error. */
  late: {
    breaker: { entity: /^Breaker#failures$/ },
    cleaned: { entity: /^Spool#index$/ },
    'late-answer': { entity: /^Quotes#price$/ },
    lease: { entity: /count \(content\)$/ },
    optimistic: { entity: /^Store#document$/ },
    reconnect: { entity: /^Client#socket$/ },
    'save-again': { entity: /settings\.json \(content\)$/ },
    token: { entity: /^Api(Client)?#(valid|token)$/ },
  },
  /** Inside of workers. */
  workers: {
    flag: { waits: /waits at slot\[1\]/ },
    ids: { entity: /^next/ },
    journal: { entity: /^lock(\[0\])?$|journal\.json \(content\)$/ },
    journey: { entity: /journey( \(content\))?$/ },
    lent: { entity: /pages \(content\)$/ },
    position: { entity: /^position\[/ },
    ring: { entity: /^head/ },
    session: { entity: /sessions/ },
    term: { entity: /^term/ },
    window: { entity: /^bounds/ },
    totals: { entity: /total \(content\)$/ },
  },
  /** Between processes that share files. */
  children: {
    claim: { entity: /\.claim/ },
    cluster: { entity: /counts \(content\)$/ },
    compact: { entity: /journal \(content\)$/ },
    import: { entity: /stock\.json \(content\)$/ },
    lock: { entity: /balance(\.lock)?( \(content\))?$/ },
    pidfile: { entity: /orders \(content\)$|agent\.pid/ },
    rotate: { entity: /log(\.old)?( \(content\))?$/ },
    threads: { entity: /n \(content\)$/ },
    tickets: { entity: /^sqlite .*office\.db tickets$/ },
    transfer: { entity: /^sqlite .*bank\.db accounts$/ },
    visits: { entity: /visits\.json \(content\)$/ },
    warmed: { entity: /cache\.json( \(content\))?$/ },
  },
  /** One pair that races, among many operations. */
  needles: {
    cache: { entity: /^Cache#entries|^Map@.*cache\.test\.js.*\[key17\]$/ },
    ledger: { entity: /^Account#balance$/ },
    manifest: { entity: /manifest\.json \(content\)$/ },
    orders: { entity: /^Shop#lastInvoice$/ },
    requests: { entity: /used$/ },
    stock: { entity: /^sqlite .* stock$/ },
  },
};
