import type { Metadata } from 'next';
import { Page, PageHeader } from '@/app/_ui/page-header';
import { schemaPresets } from '@/lib/core/schema/presets';
import { requireRight } from '@/lib/services/access/page';
import { NewProjectForm } from './new-project-form';

export const metadata: Metadata = { title: 'New project' };

export default async function NewProject() {
  await requireRight('project.create');
  const presets = schemaPresets.map(({ id, name, description, classes, attributes, parts }) => ({
    id,
    name,
    description,
    classes: classes.length,
    attributes: attributes.length,
    parts: parts.length,
  }));
  return (
    <Page narrow>
      <PageHeader
        title="New project"
        description="Choose what is labelled. The schema can be changed later; every change is a new version."
      />
      <NewProjectForm presets={presets} />
    </Page>
  );
}
