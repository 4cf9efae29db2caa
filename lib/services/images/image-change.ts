import { z } from 'zod';
import { ImageFilter } from './image-filter';

/** What can be done to many images at once. */
export const ImageChange = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('class'), className: z.string().min(1).max(80).nullable() }),
  z.strictObject({
    kind: z.literal('state'),
    state: z.enum(['active', 'excluded']),
    reason: z.string().trim().max(300).optional(),
  }),
  z.strictObject({ kind: z.literal('group'), groupKey: z.string().trim().min(1).max(200).nullable() }),
  z.strictObject({ kind: z.literal('delete') }),
]);
export type ImageChange = z.output<typeof ImageChange>;

/** Images that were picked one by one; more than these are chosen by a filter. */
export const MAX_PICKED = 5000;

export const ImageScope = z.union([
  z.strictObject({ ids: z.array(z.uuid()).min(1).max(MAX_PICKED) }),
  z.strictObject({ filter: ImageFilter }),
]);
export type ImageScope = z.output<typeof ImageScope>;

export interface ChangeCounts {
  /** Images that were meant. */
  images: number;
  changed: number;
  /** They were so already. */
  same: number;
  /** They stay as they are, for the reason that the outcome tells. */
  kept: number;
}

/** The act in a few words, for the title of a job and the audit log. */
export function changeTitle(change: ImageChange, count: number): string {
  const images = count === 1 ? '1 image' : `${count} images`;
  if (change.kind === 'class')
    return change.className === null ? `Take the class from ${images}` : `Make ${images} ${change.className}`;
  if (change.kind === 'group')
    return change.groupKey === null ? `Take ${images} out of their groups` : `Group ${images}`;
  if (change.kind === 'delete') return `Delete ${images}`;
  return change.state === 'excluded' ? `Exclude ${images}` : `Restore ${images}`;
}

/** Why images stay as they are. */
export const keptReason = (change: ImageChange): string =>
  change.kind === 'delete'
    ? 'They are gold, part of an audit or of a frozen version, or somebody has answered or is answering questions about them. Exclude them instead.'
    : change.kind === 'class'
      ? 'Questions about them were handed out, answered or labelled under the class they have. Exclude them instead.'
      : 'Their files are broken.';

/** The outcome in a sentence. */
export function describeChange(change: ImageChange, counts: ChangeCounts): string {
  const parts = [`${counts.changed} of ${counts.images} changed`];
  if (change.kind === 'delete') parts[0] = `${counts.changed} of ${counts.images} deleted`;
  if (counts.same > 0) parts.push(`${counts.same} were so already`);
  const words = `${parts.join(', ')}.`;
  return counts.kept > 0 ? `${words} ${counts.kept} stay as they are: ${keptReason(change)}` : words;
}
