/** An origin and nothing else: no path, no list, no wildcard. */
export const frameOrigin = /^https?:\/\/[a-z0-9.-]+(:\d{1,5})?$/;

/** The pages on which people of a marketplace arrive, each with the setting that names the marketplace's origin. */
const arrivals: ReadonlyMap<string, string> = new Map([['/join/prolific', 'TESSERA_PROLIFIC_FRAME_ORIGIN']]);

/** Who may show a page inside one of their own; null, which is the rule: nobody. */
export function frameAncestorOf(
  pathname: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string | null {
  const setting = arrivals.get(pathname);
  const origin = setting && environment[setting];
  return origin && frameOrigin.test(origin) ? origin : null;
}
