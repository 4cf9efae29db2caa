import type { StageKind } from '@/db/schema';
import { type DatasetSchema, wholeObjectAttributes } from '@/lib/core/schema';
import { type DefaultStage, defaultStages } from '../default-stages';

/**
 * Stages that a schema calls for and a project does not have yet; none is ever taken away. Losing the last part
 * is no reason to begin with object masks.
 */
export function missingStages(schema: DatasetSchema, stages: readonly { kind: StageKind }[]): DefaultStage[] {
  const hasWhole = wholeObjectAttributes(schema).length > 0;
  return defaultStages(schema).filter(
    ({ kind }) => !stages.some((stage) => stage.kind === kind) && (kind !== 'object-mask' || hasWhole),
  );
}
