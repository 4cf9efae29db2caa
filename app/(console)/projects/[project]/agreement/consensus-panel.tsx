import { Button } from '@/app/_ui/button';
import { DefinitionList } from '@/app/_ui/definition-list';
import { Field, Select } from '@/app/_ui/forms';
import { Panel } from '@/app/_ui/panel';
import { SmallTable } from '@/app/_ui/table';
import { formatCount, formatNumber, formatPercentInterval } from '@/lib/core/format';
import type { AnsweredStage } from '@/lib/services/curation/agreement/stage-agreement';
import { defaultMethod, type Method, methodsFor } from '@/lib/services/curation/consensus/methods';
import type { Preview } from '@/lib/services/curation/consensus/preview';
import { BuildButton } from './run-buttons';

interface Props {
  slug: string;
  stage: AnsweredStage;
  method: Method;
  preview: Preview | null;
  mayBuild: boolean;
  nameOf: (target: string) => string;
}

/** Choose a method, see on a sample what it would change, then build. */
export function ConsensusPanel({ slug, stage, method, preview, mayBuild, nameOf }: Props) {
  const best = defaultMethod(stage.kind, stage.overlap ?? 1);
  return (
    <Panel
      title="Build consensus"
      description="Derived labels for every settled item with two answers or more. Answers stay, and a run can be taken back."
    >
      <div className="flex flex-col gap-4">
        <form action={`/projects/${slug}/agreement#consensus`} className="flex flex-wrap items-end gap-3">
          <input type="hidden" name="stage" value={stage.id} />
          <Field label="Method">
            {(control) => (
              <Select
                {...control}
                key={method.id}
                name="method"
                defaultValue={method.id}
                className="w-72"
                options={methodsFor(stage.kind).map(({ id, name, citation }) => ({
                  value: id,
                  label: `${name} (${citation})`,
                }))}
              />
            )}
          </Field>
          <Button type="submit">Preview</Button>
        </form>
        <p className="max-w-prose text-xs text-ink-3">
          The median item has {formatNumber(stage.overlap)} answers. {best.method.name} is the default.{' '}
          {best.why}
        </p>
        {preview && (
          <PreviewOf
            slug={slug}
            stage={stage}
            method={method}
            preview={preview}
            mayBuild={mayBuild}
            nameOf={nameOf}
          />
        )}
      </div>
    </Panel>
  );
}

type PreviewProps = Omit<Props, 'preview'> & { preview: Preview };

function PreviewOf({ slug, stage, method, preview, mayBuild, nameOf }: PreviewProps) {
  const { changed, iou, population, targets } = preview;
  const share = changed ? formatPercentInterval(changed.value, [changed.low, changed.high], 0) : '–';
  const about = formatNumber(Math.round((changed?.value ?? 0) * population));
  return (
    <div className="flex flex-col gap-4 border-t border-line pt-4">
      <h3 className="font-semibold">
        {method.name}, on {formatCount(preview.sampled, 'item')} drawn at random from{' '}
        {formatNumber(population)}
      </h3>
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <DefinitionList
          items={[
            { term: 'Labels that would change', value: `${share}, n = ${formatNumber(preview.sampled)}` },
            { term: 'In all, about', value: `${about} of ${formatNumber(population)}` },
            { term: 'Kept, because a curator corrected or accepted them', value: formatNumber(preview.kept) },
            {
              term: 'Questions without a winner',
              value: `${formatNumber(preview.ties)}; what is current stands`,
            },
            ...(iou
              ? [
                  {
                    term: 'IoU of old and new mask',
                    value: `${formatNumber(iou.value, 3)} (${formatNumber(iou.low, 3)} to ${formatNumber(iou.high, 3)}), n = ${formatNumber(iou.n)}`,
                  },
                  { term: 'Nothing becomes a mask', value: formatNumber(preview.appears) },
                  { term: 'A mask becomes nothing', value: formatNumber(preview.vanishes) },
                ]
              : []),
          ]}
        />
        {targets.length > 0 && (
          <SmallTable
            caption="What would change, by attribute"
            rows={targets.slice(0, 10)}
            rowKey={(row) => row.id}
            empty={null}
            columns={[
              { key: 'target', title: 'Attribute', cell: (row) => nameOf(row.id) },
              { key: 'added', title: 'Added', numeric: true, cell: (row) => formatNumber(row.added) },
              { key: 'removed', title: 'Removed', numeric: true, cell: (row) => formatNumber(row.removed) },
            ]}
          />
        )}
      </div>
      {mayBuild && (
        <div>
          <BuildButton
            slug={slug}
            stageId={stage.id}
            method={method.id}
            extent={`about ${about} of ${formatNumber(population)} labels`}
          />
        </div>
      )}
    </div>
  );
}
