'use client';

import { ChevronDown, Download, FileUp } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { Badge } from '@/app/_ui/badge';
import { Button } from '@/app/_ui/button';
import { Checkbox, Field, Input, Textarea } from '@/app/_ui/forms';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '@/app/_ui/menu';
import { Page, PageHeader } from '@/app/_ui/page-header';
import { Panel } from '@/app/_ui/panel';
import { toast } from '@/app/_ui/toasts';
import { formatCount } from '@/lib/core/format';
import { askedFlags, DatasetSchema, draftProblems, type SchemaEdit, schemaChange } from '@/lib/core/schema';
import type { ExamplePlaces } from '@/lib/services/crowd/guide';
import { readPreset } from './actions';
import { problemFinder } from './cells';
import { ClassesEditor } from './classes-editor';
import { GroupsEditor } from './groups-editor';
import { PartsEditor } from './parts-editor';
import { ReviewPanel } from './review-panel';
import { useSchemaDraft } from './use-schema-draft';

interface SchemaEditorProps {
  slug: string;
  projectId: string;
  number: number;
  saved: DatasetSchema;
  examples: ExamplePlaces;
  presets: { id: string; name: string }[];
}

/** Edits a draft in the browser; nothing changes for anybody until it is saved as a new version. */
export function SchemaEditor({ slug, projectId, number, saved, examples, presets }: SchemaEditorProps) {
  const draft = useSchemaDraft(projectId, number, saved);
  const [isReviewing, setReviewing] = useState(false);
  const changes = useMemo(() => schemaChange(saved, draft.draft), [saved, draft.draft]);
  const problems = useMemo(() => draftProblems(draft.draft), [draft.draft]);
  const isAbout =
    draft.draft.name !== saved.name ||
    draft.draft.description !== saved.description ||
    String(draft.draft.flags) !== String(saved.flags);
  const isChanged = changes.length > 0 || isAbout;
  const editing = {
    slug,
    schema: draft.draft,
    saved,
    examples,
    edit: draft.edit,
    problemAt: problemFinder(problems),
  };
  const openReview = () => {
    setReviewing(true);
    // The review stands at the head of the page; only what holds the page scrolls.
    document.getElementById('main')?.scrollTo({ top: 0, behavior: 'smooth' });
  };
  return (
    <Page>
      <PageHeader
        title="Edit the schema"
        facts={
          <>
            <Badge>from version {draft.from}</Badge>
            {isChanged && <Badge tone="busy">{formatCount(changes.length, 'change')}, not saved</Badge>}
            {problems.length > 0 && <Badge tone="bad">{formatCount(problems.length, 'problem')}</Badge>}
          </>
        }
        description="What you type stays in this browser until you save it as a new version. Ids stay for ever: they are what labels refer to."
        more={
          <>
            <StartFrom slug={slug} presets={presets} edit={draft.edit} schema={draft.draft} />
            {isChanged && <Button onClick={() => draft.reset(number, saved)}>Discard changes</Button>}
          </>
        }
        action={
          <Button variant="primary" disabled={!isChanged} onClick={openReview}>
            Review and save
          </Button>
        }
      />
      {draft.isFound && (
        <p role="status" className="rounded-md bg-accent-soft px-3 py-2 text-accent">
          Changes from your last visit were found in this browser and are shown here.
        </p>
      )}
      {isReviewing && (
        <ReviewPanel
          slug={slug}
          draft={draft}
          number={number}
          changes={changes}
          problems={problems}
          onClose={() => setReviewing(false)}
        />
      )}
      <Panel title="About">
        <div className="grid items-start gap-4 md:grid-cols-[16rem_minmax(0,1fr)]">
          <Field label="Name" error={editing.problemAt('name')}>
            {(control) => (
              <Input
                {...control}
                value={draft.draft.name}
                maxLength={120}
                onChange={(event) =>
                  draft.edit({ do: 'about', name: event.target.value, description: draft.draft.description })
                }
              />
            )}
          </Field>
          <Field label="Description" error={editing.problemAt('description')}>
            {(control) => (
              <Textarea
                {...control}
                rows={2}
                maxLength={2000}
                value={draft.draft.description}
                onChange={(event) =>
                  draft.edit({ do: 'about', name: draft.draft.name, description: event.target.value })
                }
              />
            )}
          </Field>
        </div>
        <FlagChoice schema={draft.draft} edit={draft.edit} />
      </Panel>
      <ClassesEditor {...editing} />
      <GroupsEditor {...editing} />
      <PartsEditor {...editing} />
    </Page>
  );
}

const flagLabels = { occluded: 'Partly hidden (occluded)', truncated: 'Cut off by the border (truncated)' };

/** Which flags workers can set on outlines of objects and masks of parts. */
function FlagChoice({ schema, edit }: { schema: DatasetSchema; edit: (edit: SchemaEdit) => void }) {
  const chosen = schema.flags ?? [];
  return (
    <fieldset className="mt-4 flex flex-wrap gap-x-6 gap-y-2">
      <legend className="mb-1 text-xs text-ink-2">Workers can mark a mask as</legend>
      {askedFlags.map((flag) => (
        <Checkbox
          key={flag}
          label={flagLabels[flag]}
          checked={chosen.includes(flag)}
          onChange={(event) =>
            edit({
              do: 'flags',
              flags: askedFlags.filter((each) =>
                each === flag ? event.target.checked : chosen.includes(each),
              ),
            })
          }
        />
      ))}
    </fieldset>
  );
}

interface StartFromProps {
  slug: string;
  presets: { id: string; name: string }[];
  edit: (edit: SchemaEdit) => void;
  schema: DatasetSchema;
}

/** The draft from elsewhere, and to elsewhere: a preset, a file. */
function StartFrom({ slug, presets, edit, schema }: StartFromProps) {
  const input = useRef<HTMLInputElement>(null);
  const fromPreset = async (id: string) => {
    const preset = await readPreset(id);
    if (preset) edit({ do: 'replace', schema: preset });
  };
  const fromFile = async (file: File | undefined) => {
    if (!file) return;
    const read = await readFile(file);
    if (read.schema) edit({ do: 'replace', schema: read.schema });
    else toast.error(read.problem);
  };
  const toFile = () => {
    const url = URL.createObjectURL(
      new Blob([`${JSON.stringify(schema, null, 2)}\n`], { type: 'application/json' }),
    );
    const link = document.createElement('a');
    link.href = url;
    link.download = `${slug}-schema.json`;
    link.click();
    URL.revokeObjectURL(url);
  };
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="Schema file"
        accept=".json,application/json"
        onChange={(event) => {
          void fromFile(event.target.files?.[0]);
          event.target.value = '';
        }}
      />
      <Menu
        align="end"
        trigger={
          <Button>
            Start from <ChevronDown aria-hidden />
          </Button>
        }
      >
        <MenuLabel>Replace the draft by a preset</MenuLabel>
        {presets.map(({ id, name }) => (
          <MenuItem key={id} onSelect={() => void fromPreset(id)}>
            {name}
          </MenuItem>
        ))}
        <MenuSeparator />
        <MenuItem icon={<FileUp aria-hidden />} onSelect={() => input.current?.click()}>
          A JSON file …
        </MenuItem>
        <MenuItem icon={<Download aria-hidden />} onSelect={toFile}>
          Export the draft as JSON
        </MenuItem>
      </Menu>
    </>
  );
}

type FileRead = { schema: DatasetSchema; problem?: undefined } | { schema?: undefined; problem: string };

async function readFile(file: File): Promise<FileRead> {
  try {
    const parsed = DatasetSchema.safeParse(JSON.parse(await file.text()));
    if (parsed.success) return { schema: parsed.data };
    const [issue] = parsed.error.issues;
    const place = issue?.path.join('.');
    return { problem: `${file.name} is not a schema: ${place ? `${place}: ` : ''}${issue?.message}.` };
  } catch {
    return { problem: `${file.name} is not JSON.` };
  }
}
