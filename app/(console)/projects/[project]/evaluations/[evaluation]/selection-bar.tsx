import { can } from '@/app/_shell/can';
import { database } from '@/db';
import type { PageProject } from '@/lib/services/access/page';
import { crowdStages } from '@/lib/services/crowd/overview/crowd-stages';
import type { GalleryFilters } from '@/lib/services/evaluations/gallery';
import { SelectionTools } from './selection-tools';

/** Boxes that pick an image belong to this form: `<input type="checkbox" name="image" form={SELECTION_FORM} value={id}>`. */
export const SELECTION_FORM = 'selection';

interface Props {
  access: PageProject;
  evaluationId: string;
  /** What the gallery shows: "all that match" means these. */
  filters: GalleryFilters;
  total: number;
}

/** What can be done with images of the gallery by whoever looks at it. */
export async function SelectionBar({ access, evaluationId, filters, total }: Props) {
  const { project } = access;
  const rights = {
    fix: can('audit.decide', access) && can('evaluations.write', access),
    ask: can('crowd.manage', access),
    slice: can('evaluations.write', access),
    freeze: can('data.freeze', access),
  };
  if (total === 0 || !Object.values(rights).some(Boolean)) return null;
  const stages = rights.ask ? await crowdStages(database(), project) : [];
  return (
    <SelectionTools
      form={SELECTION_FORM}
      place={{ slug: project.slug, evaluationId }}
      filters={filters}
      total={total}
      rights={rights}
      stages={stages
        .filter(({ state, kind }) => state !== 'closed' && kind !== 'oracle')
        .map(({ id, name }) => ({ value: id, label: name }))}
    />
  );
}
