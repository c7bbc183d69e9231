/** C13: the clocks of the calendar. `Temporal.Now` and `Intl.DateTimeFormat` tell the time that `Date` tells. */
import { replaceMethod } from '../replace.ts';

/** The virtual time of the epoch, ms; null where the real clock counts. */
type Now = () => number | null;

interface Zoned {
  toPlainDateTime(): unknown;
  toPlainDate(): unknown;
  toPlainTime(): unknown;
}

interface Instant {
  toZonedDateTimeISO(zone: unknown): Zoned;
}

/** From Node 26 on. */
interface Calendar {
  readonly Now: { timeZoneId(): string };
  readonly Instant: { fromEpochNanoseconds(nanoseconds: bigint): Instant };
}

export function wrapCalendar(now: Now, realm: typeof globalThis): void {
  const { Temporal } = realm as { Temporal?: Calendar };
  if (Temporal) wrapTemporal(Temporal, now);
  wrapFormats(now, realm);
}

function wrapTemporal({ Now, Instant }: Calendar, now: Now): void {
  const { timeZoneId } = Now;
  const wrap = (name: string, tell: (instant: Instant, zone: unknown) => unknown): void => {
    const native = Reflect.get(Now, name) as (...args: unknown[]) => unknown;
    replaceMethod(Now, name, (...args: unknown[]) => {
      const ms = now();
      if (ms === null) return native.apply(Now, args);
      return tell(Instant.fromEpochNanoseconds(nanosecondsOf(ms)), args[0] ?? timeZoneId.call(Now));
    });
  };
  const zoned = (instant: Instant, zone: unknown): Zoned => instant.toZonedDateTimeISO(zone);
  wrap('instant', (instant) => instant);
  wrap('zonedDateTimeISO', zoned);
  wrap('plainDateTimeISO', (...at) => zoned(...at).toPlainDateTime());
  wrap('plainDateISO', (...at) => zoned(...at).toPlainDate());
  wrap('plainTimeISO', (...at) => zoned(...at).toPlainTime());
}

/** Whole milliseconds agree with those of `Date.now`. */
function nanosecondsOf(ms: number): bigint {
  const whole = Math.floor(ms);
  return BigInt(whole) * 1_000_000n + BigInt(Math.floor((ms - whole) * 1e6));
}

/** A date that is not given is the present one. */
function wrapFormats(now: Now, realm: typeof globalThis): void {
  const { prototype } = realm.Intl.DateTimeFormat;
  const { get } = Object.getOwnPropertyDescriptor(prototype, 'format') as { get(): DateFormat };
  const given = (date: unknown): unknown => (date === undefined ? (now() ?? undefined) : date);
  const formats = new WeakMap<DateFormat, DateFormat>();
  Reflect.defineProperty(prototype, 'format', {
    configurable: true,
    get(this: Intl.DateTimeFormat): DateFormat {
      const native = get.call(this);
      let format = formats.get(native);
      if (!format) {
        format = { '': (date: unknown) => native(given(date)) }[''] as DateFormat;
        formats.set(native, format);
      }
      return format;
    },
  });
  const { formatToParts } = prototype;
  replaceMethod(prototype, 'formatToParts', function (this: Intl.DateTimeFormat, date: unknown) {
    return formatToParts.call(this, given(date) as Date);
  });
}

type DateFormat = (date?: unknown) => string;
