import type { Metadata } from 'next';
import { ButtonLink } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { FormError } from '@/app/_ui/forms';
import { Panel } from '@/app/_ui/panel';
import { database } from '@/db';
import { defaultPolicy, type Policy } from '@/lib/core/quality/policy';
import { rival10Policy } from '@/lib/core/quality/rival10';
import { pageProject } from '@/lib/services/access/page';
import { type CrowdStage, crowdStages } from '@/lib/services/crowd/overview/crowd-stages';
import { policyDifferences } from '@/lib/services/crowd/policy/change-policy';
import { effectivePolicy } from '@/lib/services/crowd/work/effective-policy';
import { CrowdPage } from '../crowd-page';
import { DropOwn, PutInForce } from './buttons';
import { Changes } from './changes';
import { PolicyForm } from './policy-form';
import { type PolicyDraft, readPolicy } from './policy-values';

export const metadata: Metadata = { title: 'Policy' };

type Props = PageProps<'/projects/[project]/crowd/policy'>;

const presets: Record<string, { title: string; policy: Policy }> = {
  rival10: { title: 'RIVAL10 as published', policy: rival10Policy },
  tessera: { title: 'Tessera default', policy: defaultPolicy },
};

export default async function PolicyPage({ params, searchParams }: Props) {
  const { project } = await pageProject((await params).project, 'crowd.read');
  const query = await searchParams;
  const stages = await crowdStages(database(), project);
  const inForce = effectivePolicy(project.policy, {});
  const preset = typeof query.preset === 'string' ? presets[query.preset] : undefined;
  const draft: PolicyDraft | null = preset
    ? { values: preset.policy, policy: preset.policy, errors: {} }
    : query.change === undefined
      ? null
      : readPolicy(query);
  const path = `/projects/${project.slug}/crowd/policy`;
  const readOnly = project.state === 'archived';
  return (
    <CrowdPage
      slug={project.slug}
      at="/policy"
      title="Policy"
      description="How this project assigns, checks and pays work. Preview a change before you apply it."
      more={
        !readOnly &&
        Object.entries(presets).map(([key, { title }]) => (
          <ButtonLink key={key} href={`${path}?preset=${key}`}>
            {title}
          </ButtonLink>
        ))
      }
    >
      {draft && (
        <Draft slug={project.slug} path={path} inForce={inForce} draft={draft} title={preset?.title} />
      )}
      <OwnPolicies slug={project.slug} inForce={inForce} stages={stages} readOnly={readOnly} />
      <PolicyForm
        key={JSON.stringify(draft?.values ?? inForce)}
        path={path}
        values={draft?.values ?? inForce}
        errors={draft?.errors ?? {}}
        readOnly={readOnly}
      />
    </CrowdPage>
  );
}

interface DraftProps {
  slug: string;
  path: string;
  inForce: Policy;
  draft: PolicyDraft;
  title: string | undefined;
}

function Draft({ slug, path, inForce, draft, title }: DraftProps) {
  const { policy } = draft;
  if (!policy) return <FormError>Some fields are not valid. Nothing has changed.</FormError>;
  const differences = policyDifferences(inForce, policy);
  return (
    <Panel
      title={title ? `Preview of changes: ${title}` : 'Preview of changes'}
      actions={
        <>
          <ButtonLink href={path}>Back to the current policy</ButtonLink>
          {differences.length > 0 && <PutInForce slug={slug} policy={policy} changes={differences.length} />}
        </>
      }
      flush
    >
      {differences.length === 0 ? (
        <EmptyState title="No changes">These values are the current policy.</EmptyState>
      ) : (
        <Changes differences={differences} currency={policy.pay.currency} />
      )}
    </Panel>
  );
}

interface OwnProps {
  slug: string;
  inForce: Policy;
  stages: CrowdStage[];
  readOnly: boolean;
}

/** Stages with settings of their own come first, because the form below applies to them only in part. */
function OwnPolicies({ slug, inForce, stages, readOnly }: OwnProps) {
  const own = stages
    .map((stage) => ({ stage, differences: policyDifferences(inForce, stage.policy) }))
    .filter(({ stage }) => Object.keys(stage.own).length > 0);
  return own.map(({ stage, differences }) => (
    <Panel
      key={stage.id}
      title={`Settings of ${stage.name}`}
      description="The settings of a stage override the policy of the project."
      actions={!readOnly && <DropOwn slug={slug} stageId={stage.id} name={stage.name} />}
      flush
    >
      {differences.length === 0 ? (
        <p className="px-4 py-3 text-ink-2">They currently equal the policy of the project.</p>
      ) : (
        <Changes
          differences={differences}
          currency={stage.policy.pay.currency}
          heads={['Project', 'This stage']}
        />
      )}
    </Panel>
  ));
}
