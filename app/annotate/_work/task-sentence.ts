import type { WorkBatch, WorkItem } from './api';

/** What to do with the item, in one sentence. */
export function taskSentence(batch: WorkBatch, item: WorkItem): string {
  const thing = className(batch, item)?.toLowerCase();
  switch (batch.stage.kind) {
    case 'part-mask':
      return `Draw every pixel of “${item.target?.name}”${thing ? ` on the ${thing}` : ''}.`;
    case 'object-mask':
      return `Draw every pixel of the ${item.target?.name.toLowerCase() ?? 'object'}.`;
    case 'attributes':
      return `Choose what describes the ${thing ?? 'object'}.`;
    case 'oracle':
      return 'Choose the class of the object.';
  }
}

export function schemaOf(batch: WorkBatch, item: WorkItem) {
  return batch.schemas.find(({ id }) => id === item.schemaVersionId)?.document;
}

function className(batch: WorkBatch, item: WorkItem): string | undefined {
  return schemaOf(batch, item)?.classes.find(({ id }) => id === item.className)?.name;
}

/** The name of a part or an attribute by its id. */
export function labelName(batch: WorkBatch, item: WorkItem, label: string): string {
  if (label === item.target?.id) return item.target.name;
  const schema = schemaOf(batch, item);
  const found = [...(schema?.parts ?? []), ...(schema?.attributes ?? [])].find(({ id }) => id === label);
  return found?.name ?? label;
}
