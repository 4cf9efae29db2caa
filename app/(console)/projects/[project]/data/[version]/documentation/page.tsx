import type { Metadata } from 'next';
import { can } from '@/app/_shell/can';
import { DefinitionList } from '@/app/_ui/definition-list';
import { Page } from '@/app/_ui/page-header';
import { Panel } from '@/app/_ui/panel';
import { describeResponsibly, missingStatements, statementFields } from '@/lib/core/croissant';
import { pageVersion, VersionHeader } from '../version-header';
import { StatementForm } from './statement-form';

type Props = PageProps<'/projects/[project]/data/[version]/documentation'>;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { project, version } = await params;
  return { title: `Documentation of version ${(await pageVersion(project, version)).version.number}` };
}

/** The documentation in exports: statements of the authors and measured values. */
export default async function Documentation({ params }: Props) {
  const { project: slug, version: name } = await params;
  const page = await pageVersion(slug, name);
  const { access, version } = page;
  const missing = missingStatements(version.statements);
  const measured = describeResponsibly(version.card, version.statements, {
    losses: [],
    createdAt: version.at.toISOString(),
  });
  return (
    <Page>
      <VersionHeader page={page} tab="documentation" />
      {missing.length > 0 && (
        <p role="status" className="rounded-md bg-warn-soft px-3 py-2">
          {missing.length === 1 ? 'One statement is' : `${missing.length} statements are`} missing for a
          complete Croissant file: {missing.map(({ label }) => label.toLowerCase()).join(', ')}.
          {version.licence === '' && ' The licence is missing as well; it is set when a version is frozen.'}
        </p>
      )}
      <div className="grid items-start gap-6 xl:grid-cols-2">
        <Panel
          title="Statements"
          description="Exports contain them in croissant.json. They are not part of the frozen content, and the next version starts with them."
        >
          {can('data.freeze', access) ? (
            <StatementForm
              slug={access.project.slug}
              number={String(version.number)}
              statements={version.statements}
            />
          ) : (
            <DefinitionList
              items={statementFields.map((field) => ({
                term: field.label,
                value: version.statements[field.name] || 'Not stated',
              }))}
            />
          )}
        </Panel>
        <Panel
          title="Published properties"
          description="Statements and measured values as they appear in the Responsible AI section of croissant.json."
        >
          <DefinitionList
            items={Object.entries(measured).map(([property, value]) => ({
              term: property,
              value: <PropertyValue value={value} />,
            }))}
          />
        </Panel>
      </div>
    </Page>
  );
}

function PropertyValue({ value }: { value: unknown }) {
  if (Array.isArray(value))
    return (
      <ul className="flex flex-col gap-1">
        {value.map((each, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes.
          <li key={at}>{textOf(each)}</li>
        ))}
      </ul>
    );
  return textOf(value);
}

/** An activity is shown by its label and description. */
function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null)
    return value === false ? 'no' : value === true ? 'yes' : String(value);
  const activity = value as Record<string, string>;
  return `${activity['prov:label']}: ${activity['sc:description']}`;
}
