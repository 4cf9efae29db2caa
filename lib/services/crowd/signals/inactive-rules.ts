import type { Db } from '@/db';
import { rules } from '@/lib/core/quality/rules';
import { getPromotedModel } from '@/lib/services/inference/predictions';
import { installedModels } from './compare-answers';

/** Rules that find nothing because a model is missing, by id, with the reason for the curator. */
export async function inactiveRules(db: Db, projectId: string): Promise<Record<string, string>> {
  const missing = {
    'segmentation-model':
      installedModels() === null ? 'Inactive: no segmentation model is installed on this server.' : null,
    'promoted-model':
      (await getPromotedModel(db, projectId)) === null
        ? 'Inactive: no model of this project is promoted.'
        : null,
  };
  return Object.fromEntries(
    rules.flatMap(({ id, needs }) => {
      const reason = needs && missing[needs];
      return reason ? [[id, reason]] : [];
    }),
  );
}
