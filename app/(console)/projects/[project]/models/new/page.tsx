import type { Metadata } from 'next';
import { Page, PageHeader } from '@/app/_ui/page-header';
import { database } from '@/db';
import { pageOpenProject } from '@/lib/services/access/page';
import { getProject } from '@/lib/services/projects';
import { ModelForm } from './model-form';

export const metadata: Metadata = { title: 'Add a model' };

type Props = PageProps<'/projects/[project]/models/new'>;

export default async function NewModel({ params }: Props) {
  const { project } = await pageOpenProject((await params).project, 'models.write');
  const { schema } = await getProject(database(), project.id);
  return (
    <Page>
      <PageHeader
        title="Add a model"
        description="Upload an ONNX file. It is checked in a sandboxed process before it is registered."
      />
      <ModelForm slug={project.slug} classes={(schema?.classes ?? []).map(({ id }) => id)} />
    </Page>
  );
}
