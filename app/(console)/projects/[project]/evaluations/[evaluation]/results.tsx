import { can } from '@/app/_shell/can';
import { database } from '@/db';
import type { PageProject } from '@/lib/services/access/page';
import { crowdStages } from '@/lib/services/crowd/overview/crowd-stages';
import {
  compareEvaluations,
  loadNoisePoints,
  plotAblationByModel,
} from '@/lib/services/evaluations/compare-evaluations';
import {
  type GalleryFilters,
  type GalleryQuery,
  loadGallery,
  scoreNames,
} from '@/lib/services/evaluations/gallery';
import { listComparable } from '@/lib/services/evaluations/leaderboard';
import type { EvaluationView } from '@/lib/services/evaluations/list-evaluations';
import type { EvaluationMetrics } from '@/lib/services/evaluations/run-evaluation';
import { headlineMetrics } from '../finding-text';
import { Gallery } from './gallery';
import { Plots } from './plots';
import { Provenance } from './provenance';
import { FindingsTable, ReportTable } from './report-table';
import { SelectionTools } from './selection-tools';
import { BaselineLine, Strip } from './strip';

interface Props {
  access: PageProject;
  evaluation: EvaluationView;
  metrics: EvaluationMetrics;
  /** All of the project, newest first. */
  others: EvaluationView[];
  oracles: ReadonlyMap<string, string>;
  query: GalleryQuery;
  /** The selected baseline. */
  baseline: string | undefined;
  home: string;
}

const headlines: ReadonlySet<string> = new Set(headlineMetrics.map(([id]) => id));

/** Results of an evaluation: headline metrics, findings, report, plots, gallery, provenance. */
export async function Results(props: Props) {
  const { access, evaluation, metrics, others, oracles, query, home } = props;
  const db = database();
  const path = `${home}/evaluations/${evaluation.id}`;
  const alike = listComparable(evaluation, others);
  const baseline = baselineOf(alike, props.baseline);
  const [gallery, scores, compared, points, byModel] = await Promise.all([
    loadGallery(db, evaluation.id, query),
    scoreNames(db, evaluation.id),
    baseline && compareEvaluations(db, { a: baseline, b: evaluation, only: headlines }),
    loadNoisePoints(db, [evaluation.id, ...alike.map(({ id }) => id)]),
    plotAblationByModel(db, [evaluation, ...alike]),
  ]);
  const picks = (['evaluations.write', 'crowd.manage', 'data.freeze'] as const).some((verb) =>
    can(verb, access),
  );
  const { sort, offset, limit, ...filters } = query;
  return (
    <>
      <div className="grid gap-1.5">
        <Strip evaluation={evaluation} others={others} differences={compared?.differences ?? null} />
        <BaselineLine evaluation={evaluation} baseline={baseline} others={alike} path={path} home={home} />
      </div>
      <FindingsTable findings={metrics.findings} />
      <ReportTable metrics={metrics} path={path} />
      <Plots
        plots={[...metrics.plots, ...byModel]}
        path={path}
        models={[evaluation, ...alike].flatMap(({ id, model }) => {
          const point = points.get(id);
          return point
            ? [{ name: model, href: `${home}/evaluations/${id}`, x: point.object, y: point.background }]
            : [];
        })}
      />
      <Gallery
        gallery={gallery}
        query={query}
        path={path}
        classes={metrics.lines.filter(({ group }) => group === 'Class').map(({ name }) => name)}
        scores={scores}
        form={picks ? SELECTION_FORM : null}
      >
        <SelectionBar access={access} evaluationId={evaluation.id} filters={filters} total={gallery.total} />
      </Gallery>
      <Provenance
        evaluation={evaluation}
        metrics={metrics}
        oracles={oracles}
        home={home}
        slug={access.project.slug}
      />
    </>
  );
}

/** The requested baseline, else the promoted model, else the first evaluated model. */
const baselineOf = (
  alike: readonly EvaluationView[],
  asked: string | undefined,
): EvaluationView | undefined =>
  alike.find(({ id }) => id === asked) ??
  alike.find(({ modelState }) => modelState === 'promoted') ??
  alike.at(-1);

/** Form of the image checkboxes: `<input type="checkbox" name="image" form={SELECTION_FORM} value={id}>`. */
const SELECTION_FORM = 'selection';

interface SelectionBarProps {
  access: PageProject;
  evaluationId: string;
  /** Filter of the gallery, applied by "all matching images". */
  filters: GalleryFilters;
  total: number;
}

/** Actions on selected images that the user is allowed to perform. */
async function SelectionBar({ access, evaluationId, filters, total }: SelectionBarProps) {
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
