import { useLocale, useTranslations } from 'next-intl';
import { readTarget } from '@/lib/core/schema';
import type { WorkBatch, WorkItem } from './api';

/** What to do with the item, in one sentence. */
export function useTaskSentence(batch: WorkBatch, item: WorkItem): string {
  const t = useTranslations('work.task');
  const locale = useLocale();
  // Names come from the schema. Within an English sentence they are not capitalised.
  const inSentence = (name: string | undefined) => (locale === 'en' ? name?.toLowerCase() : name);
  const object = inSentence(className(batch, item));
  const target = item.target?.name;
  switch (batch.stage.kind) {
    case 'part-mask':
      return object ? t('partOf', { name: target ?? '', object }) : t('part', { name: target ?? '' });
    case 'object-mask':
      return target ? t('object', { name: inSentence(target) ?? '' }) : t('someObject');
    case 'attributes':
      return object ? t('attributes', { object }) : t('someAttributes');
    case 'oracle':
      return t('class');
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
  const { id: wanted, instance } = readTarget(label);
  const found = [...(schema?.parts ?? []), ...(schema?.attributes ?? [])].find(({ id }) => id === wanted);
  if (!found) return label;
  return instance > 1 ? `${found.name} (${instance})` : found.name;
}
