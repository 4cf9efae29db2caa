import { can } from '@/app/_shell/can';
import { database } from '@/db';
import type { PageProject } from '@/lib/services/access/page';
import { ablationByModel } from '@/lib/services/evaluations/ablation-by-model';
import { comparableWith } from '@/lib/services/evaluations/comparable';
import { compareEvaluations } from '@/lib/services/evaluations/compare-evaluations';
import { type GalleryQuery, galleryOf, scoreNames } from '@/lib/services/evaluations/gallery';
import type { EvaluationView } from '@/lib/services/evaluations/list-evaluations';
import { noisePoints } from '@/lib/services/evaluations/noise-points';
import type { EvaluationMetrics } from '@/lib/services/evaluations/run-evaluation';
import { eight } from '../eight';
import { BaselineLine } from './baseline-line';
import { FindingsTable } from './findings-table';
import { Gallery } from './gallery';
import { Plots } from './plots';
import { Provenance } from './provenance';
import { ReportTable } from './report-table';
import { SELECTION_FORM, SelectionBar } from './selection-bar';
import { Strip } from './strip';

interface Props {
  access: PageProject;
  evaluation: EvaluationView;
  metrics: EvaluationMetrics;
  /** All of the project, newest first. */
  others: EvaluationView[];
  oracles: ReadonlyMap<string, string>;
  query: GalleryQuery;
  /** The evaluation that was chosen to hold this one against. */
  baseline: string | undefined;
  home: string;
}

const headlines: ReadonlySet<string> = new Set(eight.map(([id]) => id));

/** All that an evaluation found: the strip, the report, the plots, the images, where it comes from. */
export async function Results(props: Props) {
  const { access, evaluation, metrics, others, oracles, query, home } = props;
  const db = database();
  const path = `${home}/evaluations/${evaluation.id}`;
  const alike = comparableWith(evaluation, others);
  const baseline = baselineOf(alike, props.baseline);
  const [gallery, scores, compared, points, byModel] = await Promise.all([
    galleryOf(db, evaluation.id, query),
    scoreNames(db, evaluation.id),
    baseline && compareEvaluations(db, { a: baseline, b: evaluation, only: headlines }),
    noisePoints(db, [evaluation.id, ...alike.map(({ id }) => id)]),
    ablationByModel(db, [evaluation, ...alike]),
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

/** The one that was asked for, else that of the promoted model, else that of the model that was evaluated first. */
const baselineOf = (
  alike: readonly EvaluationView[],
  asked: string | undefined,
): EvaluationView | undefined =>
  alike.find(({ id }) => id === asked) ??
  alike.find(({ modelState }) => modelState === 'promoted') ??
  alike.at(-1);
