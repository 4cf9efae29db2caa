type Value = Record<string, unknown>;

/** The attributes of a value, or a dash. */
export function attributeWords(value: Value | undefined): string {
  const choices =
    value?.kind === 'attributes' ? Object.values(value.choices as Record<string, string[]>) : [];
  return (
    choices
      .flat()
      .filter((id) => id !== 'none')
      .join(', ') || '–'
  );
}

/** What a label or an answer says, in a few words. */
export function valueWords(value: Value | undefined): string {
  if (!value) return '–';
  if (value.kind === 'attributes') return attributeWords(value);
  if (value.kind === 'class') return String(value.className);
  return value.kind === 'nothing' ? 'nothing to label' : String(value.kind);
}
