import type { DatasetSchema } from '@/lib/core/schema';

type Value = Record<string, unknown>;

/** The name of a class, an attribute or a part by its id. */
export type NameOf = (id: string) => string;

export function namesIn(schema: DatasetSchema | null): NameOf {
  const entries = [...(schema?.classes ?? []), ...(schema?.attributes ?? []), ...(schema?.parts ?? [])];
  const names = new Map(entries.map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? id;
}

/** The attributes of a value, or a dash. */
export function attributeWords(value: Value | undefined, nameOf: NameOf): string {
  const choices =
    value?.kind === 'attributes' ? Object.values(value.choices as Record<string, string[]>) : [];
  return (
    choices
      .flat()
      .filter((id) => id !== 'none')
      .map(nameOf)
      .join(', ') || '–'
  );
}

/** What a label or an answer says, in a few words. */
export function valueWords(value: Value | undefined, nameOf: NameOf): string {
  if (!value) return '–';
  if (value.kind === 'attributes') return attributeWords(value, nameOf);
  if (value.kind === 'class') return nameOf(String(value.className));
  return value.kind === 'nothing' ? 'nothing to label' : String(value.kind);
}
