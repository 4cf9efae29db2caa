import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { ClientMessages } from '@/app/_i18n/translated';
import { EmptyState } from '@/app/_ui/empty-state';
import { Page, PageHeader } from '@/app/_ui/page-header';
import { Panel } from '@/app/_ui/panel';
import { database } from '@/db';
import { isOpenIn, looksLikeId } from '@/lib/services/access';
import { pageProject } from '@/lib/services/access/page';
import { ownKeys } from '@/lib/services/accounts';
import { crowdStages } from '@/lib/services/crowd/overview/crowd-stages';
import { pickImages } from '@/lib/services/curation/gold';
import { readProjectSchema } from '@/lib/services/images/ingest/project-schema';
import { drawableTargets } from './drawable-targets';
import { ImagePicker } from './image-picker';
import { readQuestion } from './read-question';
import { WriteGold } from './write-gold';

export const metadata: Metadata = { title: 'Write gold' };

type Props = PageProps<'/projects/[project]/gold/write'>;

const one = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value) ?? '';

/** First what to answer and on which picture, then the annotator itself. */
export default async function Write({ params, searchParams }: Props) {
  const { actor, project } = await pageProject((await params).project, 'gold.read');
  if (!isOpenIn('gold.write', project.state)) redirect(`/projects/${project.slug}/gold`);
  const query = await searchParams;
  const db = database();
  const schema = await readProjectSchema(db, project.id);
  const stages = await crowdStages(db, project);
  const stage = stages.find((each) => each.id === one(query.stage)) ?? stages[0];
  if (!stage || !schema) {
    return (
      <Page narrow>
        <PageHeader title="Write gold" />
        <Panel>
          <EmptyState title="There is nothing to answer">This project has no stages.</EmptyState>
        </Panel>
      </Page>
    );
  }
  const targets = drawableTargets(schema, stage.kind);
  const target = targets.find(({ id }) => id === one(query.target)) ?? targets[0];
  if (looksLikeId(one(query.image))) {
    const question = await readQuestion(db, project.id, stage, one(query.image), one(query.target));
    return (
      <ClientMessages namespaces={['canvas', 'form']}>
        <WriteGold
          key={`${stage.id} ${one(query.image)} ${one(query.target)}`}
          slug={project.slug}
          question={question}
          keys={await ownKeys(db, actor.userId)}
          needsOther={stage.policy.gold.twoPeople}
        />
      </ClientMessages>
    );
  }
  const after = one(query.after);
  const page = await pickImages(db, {
    projectId: project.id,
    stageId: stage.id,
    target: target?.id ?? '',
    classes: target?.classes ?? null,
    name: one(query.name) || undefined,
    after: looksLikeId(after) ? after : undefined,
  });
  return (
    <Page>
      <PageHeader
        title="Write gold"
        description="Choose what to answer and a picture on which the answer is beyond doubt. Easy and hard ones both: an exam of easy pictures tells little."
      />
      <ImagePicker
        path={`/projects/${project.slug}/gold/write`}
        stages={stages.map(({ id, name }) => ({ id, name }))}
        stageId={stage.id}
        targets={targets}
        target={target?.id ?? ''}
        name={one(query.name)}
        query={query}
        page={page}
        addHref={`/projects/${project.slug}/images/add`}
      />
    </Page>
  );
}
