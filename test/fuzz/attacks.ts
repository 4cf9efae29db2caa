import { z } from 'zod';
import { type Endpoint, isSchema } from '@/app/api/_http/endpoint';
import { newId } from '@/db';
import type { Rng } from '@/lib/core/robustness/random';
import type { Ids } from '../support/one-of-each';
import type { Attack } from './attack';
import { type HostileFile, mangled } from './files';
import { type JsonSchema, type Making, valueFrom } from './from-schema';
import { hostileBodies, hostileHeaders, hostileTexts, hostileValue, pick } from './hostile';

export interface Armoury {
  chance: Rng;
  /** What really is there. */
  ids: Ids;
  /** Headers of those who may ask: the more a caller may, the further an input gets. */
  callers: readonly Record<string, string>[];
  files: readonly HostileFile[];
}

const kinds = ['plain', 'plain', 'spoiled', 'spoiled', 'wild', 'query', 'path', 'headers', 'body'] as const;

const inputOf = (schema: z.ZodType): JsonSchema =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;

const schemas = new Map<z.ZodType, JsonSchema>();

export function schemaOf(schema: z.ZodType): JsonSchema {
  const known = schemas.get(schema) ?? inputOf(schema);
  schemas.set(schema, known);
  return known;
}

/** The kind of thing that a field of this name means; `run` below a project is one of consensus. */
export function idFor(field: string, ids: Ids, path: string): string | undefined {
  if (field === 'run' && path.includes('/consensus-runs/')) return ids.consensusRun;
  const name = field.replace(/Ids?$/, '').replace(/^text$/, 'consentText');
  return ids[name] ?? ids[name.replace(/s$/, '')];
}

/** A request to an endpoint: as it should be, or as wrong as one can think of. */
export function attackOn(entry: Endpoint, armoury: Armoury): Attack {
  const { chance, ids } = armoury;
  const kind = pick(kinds, chance);
  const wildness = kind === 'wild' ? 0.35 : kind === 'spoiled' ? 0.06 : 0;
  const making: Making = {
    chance,
    wildness,
    idFor: (field) =>
      chance.below(8) === 0
        ? pick([newId(), ...Object.values(ids)], chance)
        : (idFor(field, ids, entry.path) ?? newId()),
  };
  const isQuiet = kind === 'query' ? { ...making, wildness: 0.4 } : making;
  const headers = { ...pick(armoury.callers, chance) };
  const attack: Attack = {
    method: entry.method,
    path: pathOf(entry, ids, kind === 'path' ? chance : null) + queryOf(entry, isQuiet),
    headers,
    name: `${entry.method} ${entry.path} (${kind})`,
  };
  if (entry.method !== 'GET') giveBody(attack, entry, making, armoury, kind === 'body');
  if (kind === 'headers') Object.assign(headers, pick(hostileHeaders, chance));
  return attack;
}

function pathOf(entry: Endpoint, ids: Ids, chance: Rng | null): string {
  return entry.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const good = idFor(name, ids, entry.path) ?? newId();
    if (!chance || chance.below(3) === 0) return good;
    const text = String(hostileValue(chance, good))
      .slice(0, 2000)
      .replace(/\p{Surrogate}/gu, '\ufffd');
    return encodeURIComponent(text) || '%20';
  });
}

function queryOf(entry: Endpoint, making: Making): string {
  const { chance, wildness } = making;
  const query = new URLSearchParams();
  if (entry.query) {
    const value = valueFrom(schemaOf(entry.query), { ...making, wildness: 0 });
    for (const [name, given] of Object.entries(value as Record<string, unknown>)) {
      const spoiled = wildness > 0 && chance.unit() < wildness;
      query.append(name, spoiled ? pick(hostileTexts, chance).slice(0, 3000) : plainText(given));
      if (spoiled && chance.below(3) === 0) query.append(name, 'twice');
    }
  }
  if (wildness > 0 && chance.below(6) === 0) query.append(pick(hostileTexts, chance).slice(0, 100), '1');
  const text = query.toString();
  return text ? `?${text}` : '';
}

const plainText = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));

function giveBody(attack: Attack, entry: Endpoint, making: Making, armoury: Armoury, isRaw: boolean): void {
  const { chance, files } = armoury;
  if (!isSchema(entry.body)) {
    const file = pick(files, chance);
    attack.headers['content-type'] = entry.body?.mediaType ?? 'application/json';
    attack.body = entry.body ? mangled(file.bytes, chance) : undefined;
    return;
  }
  attack.headers['content-type'] = 'application/json';
  attack.body = isRaw
    ? pick(hostileBodies, chance)
    : JSON.stringify(valueFrom(schemaOf(entry.body), making)).slice(0, 2_000_000);
}
