type Json = Record<string, unknown>;

/**
 * From version 1 to 2: an origin told the name of its assist, which could only be region growing, and how long it
 * was looked at. What it did not tell is taken as the least that it can have been.
 */
export function withWholeOrigins(json: Json): Json {
  return {
    ...json,
    version: 2,
    layers: each(json.layers, upgradeLayer),
    aside: each(json.aside, upgradeLayer),
  };
}

function upgradeLayer(layer: unknown): unknown {
  if (!isRecord(layer)) return layer;
  return { ...layer, shapes: each(layer.shapes, upgradeShape) };
}

function upgradeShape(drawn: unknown): unknown {
  if (!isRecord(drawn) || !isRecord(drawn.origin)) return drawn;
  const latencyMs = Math.round(Number(drawn.origin.latencyMs));
  return {
    ...drawn,
    origin: { kind: 'region', model: null, clicks: 1, shownMs: 0, latencyMs, edited: false },
  };
}

/** What is no list stays as it is, to be refused by the schema of the newest version. */
const each = (value: unknown, change: (one: unknown) => unknown): unknown =>
  Array.isArray(value) ? value.map(change) : value;

const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null;
