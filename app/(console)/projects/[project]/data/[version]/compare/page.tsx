import type { Metadata } from 'next';
import Link from 'next/link';
import { Suspense } from 'react';
import { LiveForm } from '@/app/_shell/live-form';
import { PAGE_TIMEOUT_MS, ReadingNotice, StillReading } from '@/app/_shell/reading';
import { ButtonLink } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { Field, Select } from '@/app/_ui/forms';
import { Page } from '@/app/_ui/page-header';
import { Panel } from '@/app/_ui/panel';
import { Stat, StatStrip } from '@/app/_ui/stat';
import { SmallTable } from '@/app/_ui/table';
import { Thumbnail } from '@/app/_ui/thumbnail';
import { namesIn } from '@/app/(console)/projects/[project]/images/[image]/layers';
import { database } from '@/db';
import { formatCount, formatNumber } from '@/lib/core/format';
import { waitAtMost } from '@/lib/services/datasets/result-cache';
import { diffVersions, type VersionDiff } from '@/lib/services/datasets/versions/diff-versions';
import { listVersions, type VersionSummary } from '@/lib/services/datasets/versions/list-versions';
import { listVersionPictures, type VersionPicture } from '@/lib/services/datasets/versions/open-version';
import { readProjectSchema } from '@/lib/services/images/ingest/project-schema';
import { storage } from '@/lib/services/storage';
import { pageVersion, VersionHeader } from '../version-header';

export const metadata: Metadata = { title: 'Compare versions' };

type Props = PageProps<'/projects/[project]/data/[version]/compare'>;

export default async function Compare({ params, searchParams }: Props) {
  const { project: slug, version: name } = await params;
  const page = await pageVersion(slug, name);
  const { access, version, data } = page;
  const all = await listVersions(database(), { projectId: access.project.id });
  const others = all.filter(({ number }) => number !== version.number);
  const wanted = Number((await searchParams).with);
  const other =
    others.find(({ number }) => number === wanted) ??
    others.find(({ number }) => number < version.number) ??
    others[0];
  if (!other)
    return (
      <Page>
        <VersionHeader page={page} tab="compare" />
        <Panel>
          <EmptyState
            title="No other version"
            action={<ButtonLink href={`${data}/freeze`}>Freeze version</ButtonLink>}
          >
            Once labels have changed, freeze again: this page then shows what came, what went and how far
            masks have moved.
          </EmptyState>
        </Panel>
      </Page>
    );
  const [older, newer] = [version, other].sort((a, b) => a.number - b.number);
  const nameOf = namesIn(await readProjectSchema(database(), access.project.id));
  const reading = `Reading the labels of both versions, ${formatCount(version.images + other.images, 'image')} in all …`;
  return (
    <Page>
      <VersionHeader page={page} tab="compare" />
      <LiveForm className="w-72">
        <Field label="Compare with">
          {(control) => (
            <Select
              {...control}
              name="with"
              defaultValue={String(other.number)}
              options={others.map(({ number, tags }) => ({
                value: String(number),
                label: [`Version ${number}`, ...tags].join(' · '),
              }))}
            />
          )}
        </Field>
      </LiveForm>
      {older && newer && (
        <Suspense
          key={`${older.number} ${newer.number}`}
          fallback={<ReadingNotice text={reading} className="h-96" />}
        >
          <VersionChanges
            reading={reading}
            nameOf={nameOf}
            projectId={access.project.id}
            slug={access.project.slug}
            older={older}
            newer={newer}
          />
        </Suspense>
      )}
    </Page>
  );
}

interface VersionChangesProps {
  /** Names of classes, parts and attributes by their ids. */
  nameOf: (id: string) => string;
  /** What is going on, in words, while it lasts. */
  reading: string;
  projectId: string;
  slug: string;
  older: VersionSummary;
  newer: VersionSummary;
}

/** Changes that are shown as pictures. */
const SHOWN = 24;

/** What became of the older version in the newer one. */
async function VersionChanges({ nameOf, reading, projectId, slug, older, newer }: VersionChangesProps) {
  const db = database();
  const between = { projectId, from: String(older.number), to: String(newer.number) };
  const diff = await waitAtMost(diffVersions(db, storage(), between), PAGE_TIMEOUT_MS);
  if (!diff)
    return (
      <Panel>
        <StillReading text={reading} />
      </Panel>
    );
  const shown = diff.changes.slice(0, SHOWN);
  const pictures = await listVersionPictures(db, {
    versionId: newer.id,
    sources: shown.map(({ source }) => source),
  });
  const { images, labels, meanIou } = diff;
  const isSame = images.added + images.removed + images.changed === 0;
  return (
    <>
      <StatStrip>
        <Stat label="Images added" value={formatNumber(images.added)} />
        <Stat label="Images removed" value={formatNumber(images.removed)} />
        <Stat label="Labels added" value={formatNumber(labels.added)} />
        <Stat label="Labels removed" value={formatNumber(labels.removed)} />
        <Stat label="Labels changed" value={formatNumber(labels.changed)} />
        <Stat label="Unchanged labels" value={formatNumber(labels.same)} />
        <Stat
          label="Mean IoU of masks"
          value={meanIou ? formatNumber(meanIou.value, 3) : '–'}
          n={meanIou?.n}
        />
      </StatStrip>
      {isSame ? (
        <Panel>
          <EmptyState title="No differences in images or labels">
            The two versions differ in what holds for all images: the schema, the policy, the licence or how
            they are split.
          </EmptyState>
        </Panel>
      ) : (
        <>
          <Panel
            title="Most changed labels"
            description={`From version ${older.number} to version ${newer.number}. Select an image to see its current labels.`}
          >
            {shown.length === 0 ? (
              <p className="text-ink-2">No labels changed on images that are in both versions.</p>
            ) : (
              <Changes changes={shown} pictures={pictures} slug={slug} nameOf={nameOf} />
            )}
            {diff.changes.length > SHOWN && (
              <p className="mt-3 text-xs text-ink-3">
                and {formatNumber(labels.added + labels.removed + labels.changed - SHOWN)} more in all.
              </p>
            )}
          </Panel>
          {diff.facts.length > 0 && <Facts facts={diff.facts} moves={diff.moves} />}
          <Names title="Images added" names={diff.addedImages} count={images.added} />
          <Names title="Images removed" names={diff.removedImages} count={images.removed} />
        </>
      )}
    </>
  );
}

interface ChangesProps {
  changes: VersionDiff['changes'];
  pictures: VersionPicture[];
  slug: string;
  nameOf: VersionChangesProps['nameOf'];
}

function Changes({ changes, pictures, slug, nameOf }: ChangesProps) {
  const bySource = new Map(pictures.map((picture) => [picture.source, picture]));
  return (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(10rem,1fr))] gap-4">
      {changes.map(({ image, source, target, kind, iou, words }) => {
        const picture = bySource.get(source);
        const how = kind === 'changed' && iou !== null ? `IoU ${formatNumber(iou, 3)}` : words || kind;
        return (
          <li key={`${source} ${target}`}>
            <Link
              href={
                picture ? `/projects/${slug}/images/${picture.id}` : `/projects/${slug}/images?text=${image}`
              }
              className="flex flex-col gap-1"
            >
              <Thumbnail src={picture?.thumbnail} alt={image} width={160} height={160} />
              <span className="truncate text-xs font-medium">{labelWords(target, nameOf)}</span>
              <span className="truncate text-xs text-ink-2 tabular-nums">{how}</span>
              <span className="truncate text-xs text-ink-3">{image}</span>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

/** "head", and "head#2" for a second object. */
function labelWords(target: string, nameOf: VersionChangesProps['nameOf']): string {
  const [id = '', instance] = target.split('#');
  return instance ? `${nameOf(id)} of object ${instance}` : nameOf(id);
}

const what = { key: 'what', title: 'What', cell: (row: { what: string }) => row.what };
const from = { key: 'from', title: 'From', cell: (row: { from: string }) => row.from };
const to = { key: 'to', title: 'To', cell: (row: { to: string }) => row.to };

/** How many images changed what, then which: a new split alone may move thousands. */
function Facts({ facts, moves }: Pick<VersionDiff, 'facts' | 'moves'>) {
  const all = moves.reduce((sum, { images }) => sum + images, 0);
  return (
    <Panel title="Name, class and split" flush>
      <SmallTable
        caption="Changed facts, counted"
        rows={moves}
        rowKey={(move) => `${move.what} ${move.from} ${move.to}`}
        empty={null}
        columns={[
          what,
          from,
          to,
          { key: 'images', title: 'Images', numeric: true, cell: ({ images }) => formatNumber(images) },
        ]}
      />
      <details className="border-t border-line px-4 py-3">
        <summary className="cursor-pointer text-ink-2">
          {all > facts.length
            ? `The first ${formatNumber(facts.length)} of ${formatNumber(all)}, image by image`
            : 'Image by image'}
        </summary>
        <div className="mt-3 max-h-96 overflow-y-auto">
          <SmallTable
            caption="Changed facts"
            rows={facts}
            rowKey={(fact) => `${fact.image} ${fact.what}`}
            empty={null}
            columns={[{ key: 'image', title: 'Image', cell: ({ image }) => image }, what, from, to]}
          />
        </div>
      </details>
    </Panel>
  );
}

function Names({ title, names, count }: { title: string; names: string[]; count: number }) {
  if (count === 0) return null;
  return (
    <Panel
      title={title}
      description={count > names.length ? `The first of ${formatCount(count, 'image')}.` : undefined}
    >
      <p className="max-h-48 overflow-y-auto text-xs wrap-anywhere text-ink-2">{names.join(', ')}</p>
    </Panel>
  );
}
