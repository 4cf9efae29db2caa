/** A UUIDv7 made in the browser: decisions are listed by their ids, and these follow the clock. */
export function freshId(now = Date.now()): string {
  const random = crypto.randomUUID();
  const time = now.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(15)}`;
}
