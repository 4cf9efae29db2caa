import type { DatasetSchema, SchemaPart } from '@/lib/core/schema/types';
import { normalizeName, splitNumber, withoutSide } from './names';
import type { Draft } from './propose';
import type { SourceCategory } from './statistics';

/** Finds the entry of a project's schema that a category means, by its name. */
export class SchemaMatcher {
  readonly #classes = new Map<string, string>();
  readonly #stuff = new Set<string>();
  readonly #attributes = new Map<string, string>();
  readonly #parts = new Map<string, SchemaPart[]>();

  constructor(readonly schema: DatasetSchema) {
    for (const { id, name, kind } of schema.classes) {
      for (const each of [id, name]) this.#classes.set(normalizeName(each), id);
      if (kind === 'stuff') this.#stuff.add(id);
    }
    for (const { id, name, kind } of schema.attributes)
      if (kind === 'localised') for (const each of [id, name]) this.#attributes.set(normalizeName(each), id);
    for (const part of schema.parts) for (const name of this.#namesOf(part)) this.#addPart(name, part);
  }

  /** A part is known by its id and its name, with and without its class: "Car Tier" is the "tier" of "Car". */
  #namesOf({ id, name, classes }: SchemaPart): Set<string> {
    const names = new Set([normalizeName(id), normalizeName(name)]);
    for (const classId of classes)
      for (const each of [id, name])
        if (each.toLowerCase().startsWith(classId.toLowerCase()) && each.length > classId.length + 1)
          names.add(normalizeName(each.slice(classId.length)));
        else names.add(normalizeName(`${classId} ${each}`));
    return names;
  }

  #addPart(name: string, part: SchemaPart): void {
    this.#parts.set(name, [...(this.#parts.get(name) ?? []), part]);
  }

  classId(name: string): string | null {
    return this.#classes.get(normalizeName(name)) ?? null;
  }

  /** `className`: the class that all parts belong to. */
  match(category: SourceCategory, className?: string): Draft | null {
    const { name, parent } = category;
    const classId = this.#classes.get(normalizeName(name));
    if (classId !== undefined) {
      const to = this.#stuff.has(classId) ? 'stuff' : 'class';
      return { to, name: classId, reason: `The project's schema has the class "${classId}".` };
    }
    const attribute = this.#attributes.get(normalizeName(name));
    if (attribute !== undefined)
      return {
        to: 'attribute',
        name: attribute,
        reason: `The project's schema has the localised attribute "${attribute}".`,
      };
    const context = [className, parent].flatMap((each) => (each ? [this.classId(each) ?? ''] : []));
    const part = this.#part(normalizeName(name), context);
    if (part) return draft(part, `The project's schema has the part "${part.id}".`);
    const numbered = splitNumber(name);
    const base = numbered && this.#part(normalizeName(numbered.base), context);
    if (numbered && base)
      return draft(
        base,
        `The project's schema has the part "${base.id}", and the number makes it instance ${numbered.number}.`,
        numbered.number,
      );
    const plain = withoutSide(name);
    const sided = plain === null ? null : this.#part(plain, context);
    return sided && draft(sided, `Without its side, it is the part "${sided.id}" of the project's schema.`);
  }

  /** Of several parts with the name, the one of a class in the context. */
  #part(name: string, context: readonly string[]): SchemaPart | null {
    const found = [...new Set(this.#parts.get(name) ?? [])];
    const own = found.filter(({ classes }) => classes.some((id) => context.includes(id)));
    if (own.length === 1) return own[0] ?? null;
    return found.length === 1 ? (found[0] ?? null) : null;
  }
}

const draft = ({ id, classes, parent }: SchemaPart, reason: string, instance?: number): Draft => ({
  to: 'part',
  name: id,
  of: [...classes],
  ...(parent !== undefined && { parent }),
  ...(instance !== undefined && { instance }),
  reason,
});
