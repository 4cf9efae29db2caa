import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { formatCount } from '@/lib/core/format';

type Detail = Record<string, unknown>;

/** `{subject}` in a sentence is replaced by the name of what was changed, as a link where there is a page for it. */
interface Wording {
  /** For the list of filters, without numbers and names. */
  label: string;
  /** Only where it says more than the label. */
  sentence?(detail: Detail): string;
}

export interface ActivityEntry {
  verb: string;
  subject: string;
  subjectId: string | null;
  detail: Detail;
}

export interface SentencePart {
  text: string;
  /** Below the project, such as `/images/…`. */
  path?: string;
}

const text = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';
const count = (value: unknown, one: string, many?: string): string =>
  formatCount(Number(value) || 0, one, many);
const list = (value: unknown): string => (Array.isArray(value) ? value.map(text).join(', ') : '');
const quoted = (value: unknown): string => (text(value) ? ` “${text(value)}”` : '');

/** Events by verb. A verb that is missing here is shown as its own words (see `plainWords`). */
const wordings: Record<string, Wording> = {
  'appeal.granted': { label: 'Granted an appeal' },
  'appeal.rejected': { label: 'Rejected an appeal' },
  'audit.close': {
    label: 'Finished an audit',
    sentence: ({ judged, wrong }) => `Finished {subject}: ${text(wrong)} of ${count(judged, 'label')} wrong`,
  },
  'audit.draw': {
    label: 'Drew an audit sample',
    sentence: ({ size }) => `Drew {subject} with ${count(size, 'label')}`,
  },
  'bonus.pay': {
    label: 'Paid a bonus',
    sentence: ({ workers }) => `Paid a bonus to ${count(workers, 'worker')}`,
  },
  'consensus.build': {
    label: 'Started a consensus run',
    sentence: ({ stage, items }) =>
      `Started a consensus run in the stage${quoted(stage)} over ${count(items, 'item')}`,
  },
  'consensus.resume': {
    label: 'Resumed a consensus run',
    sentence: ({ stage }) => `Resumed the consensus run in the stage${quoted(stage)}`,
  },
  'consensus.take-back': {
    label: 'Reverted a consensus run',
    sentence: ({ stage }) => `Reverted the consensus run in the stage${quoted(stage)}`,
  },
  'consent.agree': {
    label: 'Agreed to the consent text',
    sentence: ({ number }) => `Agreed to version ${text(number)} of the consent text`,
  },
  'consent.publish': {
    label: 'Published a consent text',
    sentence: ({ number }) => `Published version ${text(number)} of the consent text`,
  },
  'consent.withdraw': { label: 'Withdrew consent' },
  'evaluation.start': {
    label: 'Started an evaluation',
    sentence: ({ version }) => `Started the evaluation {subject} on version ${text(version)}`,
  },
  'evaluation.stop': {
    label: 'Stopped asking people for an evaluation',
    sentence: ({ withdrawn }) =>
      `Stopped the evaluation {subject} and withdrew ${count(withdrawn, 'question')}`,
  },
  'evaluation.transfer': {
    label: 'Tested adversarial images on other models',
    sentence: ({ models }) => `Tested the images of the evaluation {subject} on ${count(models, 'model')}`,
  },
  'exam.set-bar': {
    label: 'Changed an exam pass mark',
    sentence: () => 'Changed the exam pass mark of the stage {subject}',
  },
  'gold.decide': {
    label: 'Changed the state of a gold item',
    sentence: ({ from, to }) => `Changed the gold item of {subject} from ${text(from)} to ${text(to)}`,
  },
  'gold.import': {
    label: 'Imported gold items',
    sentence: ({ imported }) => `Imported ${count(imported, 'gold item')}`,
  },
  'gold.pool': {
    label: 'Moved a gold item to another pool',
    sentence: ({ from, to }) => `Moved the gold item of {subject} from ${text(from)} to ${text(to)}`,
  },
  'gold.write': { label: 'Wrote a gold item', sentence: () => 'Wrote the gold answer for {subject}' },
  'guide.add-picture': { label: 'Added a picture to the guide' },
  'guide.save': {
    label: 'Saved a guide',
    sentence: ({ number }) => `Saved version ${text(number)} of the guide for the stage {subject}`,
  },
  'images.add': { label: 'Added files', sentence: ({ files }) => `Added ${count(files, 'file')}` },
  'images.class': {
    label: 'Changed the class of images',
    sentence: ({ className, count: n }) =>
      className === null
        ? `Removed the class of ${count(n, 'image')}`
        : `Changed the class of ${count(n, 'image')} to${quoted(className)}`,
  },
  'images.delete': { label: 'Deleted images', sentence: ({ count: n }) => `Deleted ${count(n, 'image')}` },
  'images.exclude': { label: 'Excluded images', sentence: ({ count: n }) => `Excluded ${count(n, 'image')}` },
  'images.find-lookalikes': { label: 'Searched for near-duplicate images' },
  'images.group': {
    label: 'Changed the group of images',
    sentence: ({ count: n }) => `Changed the group of ${count(n, 'image')}`,
  },
  'images.restore': { label: 'Restored images', sentence: ({ count: n }) => `Restored ${count(n, 'image')}` },
  'invitation.accept': {
    label: 'Accepted an invitation',
    sentence: ({ roles }) => `Joined as ${list(roles) || 'admin'}`,
  },
  'invitation.create': {
    label: 'Created an invitation',
    sentence: ({ roles, seats }) =>
      `Created an invitation for ${count(seats, 'person', 'people')} as ${list(roles) || 'admin'}`,
  },
  'invitation.revoke': { label: 'Revoked an invitation' },
  'job.cancel': { label: 'Cancelled a job', sentence: () => 'Cancelled the job {subject}' },
  'job.retry': { label: 'Retried a job', sentence: () => 'Retried the job {subject}' },
  'label.accept': { label: 'Accepted a label', sentence: () => 'Accepted the label of {subject}' },
  'label.correct': { label: 'Corrected a label', sentence: () => 'Corrected the label of {subject}' },
  'label.reject': { label: 'Rejected a label', sentence: () => 'Rejected the label of {subject}' },
  'label.right': {
    label: 'Judged a label right in an audit',
    sentence: () => 'Judged the label of {subject} right in an audit',
  },
  'label.send-back': {
    label: 'Asked another worker about a label',
    sentence: () => 'Asked another worker about {subject}',
  },
  'label.undo': {
    label: 'Undid a decision',
    sentence: () => 'Undid the decision about the label of {subject}',
  },
  'label.wrong': {
    label: 'Judged a label wrong in an audit',
    sentence: () => 'Judged the label of {subject} wrong in an audit',
  },
  'labels.import': { label: 'Imported labels' },
  'member.add': { label: 'Added a member', sentence: ({ role }) => `Added {subject} as ${text(role)}` },
  'member.remove': {
    label: 'Removed a member',
    sentence: ({ role }) => `Removed {subject} as ${text(role)}`,
  },
  'model.archive': { label: 'Archived a model', sentence: () => 'Archived the model {subject}' },
  'model.promote': { label: 'Promoted a model', sentence: () => 'Promoted the model {subject}' },
  'model.restore': { label: 'Restored a model', sentence: () => 'Restored the model {subject}' },
  'model.upload': { label: 'Uploaded a model', sentence: () => 'Uploaded the model {subject}' },
  'pay.approved': { label: 'Approved pay after a review' },
  'pay.refused': { label: 'Refused pay after a review' },
  'payee.delete': { label: 'Deleted their payment details' },
  'payee.export': { label: 'Exported payment details' },
  'payee.read': {
    label: 'Viewed payment details',
    sentence: () => 'Viewed the payment details of {subject}',
  },
  'payee.save': { label: 'Saved their payment details' },
  'payout.approve': {
    label: 'Approved a payout',
    sentence: ({ lines }) => `Approved a payout to ${count(lines, 'worker')}`,
  },
  'payout.cancelled': { label: 'Cancelled a payout' },
  'payout.paid': { label: 'Marked a payout as paid' },
  'policy.ask-next': {
    label: 'Changed which images are annotated next',
    sentence: () => 'Changed which images are annotated next in the stage {subject}',
  },
  'policy.change': {
    label: 'Changed the policy',
    sentence: (detail) => {
      const changed = Object.keys(detail).join(', ');
      return changed ? `Changed the policy: ${changed}` : 'Changed the policy';
    },
  },
  'policy.drop-stage': {
    label: 'Removed the policy of a stage',
    sentence: () => 'Removed the stage policy of {subject}: the project’s policy applies',
  },
  'project.create': { label: 'Created the project' },
  'project.update': {
    label: 'Changed the project',
    sentence: ({ state }) => {
      const now = text((state as { to?: unknown } | undefined)?.to);
      return now ? `Changed the project: it is now ${now}` : 'Changed the project';
    },
  },
  'recruitment.arrive': { label: 'Arrived from a marketplace' },
  'recruitment.close': { label: 'Closed a recruitment study' },
  'recruitment.create': { label: 'Created a recruitment study' },
  'rules.switch-on': {
    label: 'Applied worker rules',
    sentence: ({ number }) => `Applied rule set ${text(number)} for workers`,
  },
  'run.resume': { label: 'Resumed a training run', sentence: () => 'Resumed the training run {subject}' },
  'run.start': {
    label: 'Started a training run',
    sentence: ({ version }) => `Started the training run {subject} on version ${text(version)}`,
  },
  'schema.save': {
    label: 'Saved the schema',
    sentence: ({ number }) => `Saved schema version ${text(number)}`,
  },
  'slice.delete': { label: 'Deleted a slice', sentence: ({ name }) => `Deleted the slice${quoted(name)}` },
  'slice.make': {
    label: 'Created a slice',
    sentence: ({ name, images }) => `Created the slice${quoted(name)} with ${count(images, 'image')}`,
  },
  'stage.ask-anew': {
    label: 'Asked for more answers',
    sentence: ({ images }) => `Asked for more answers about ${count(images, 'image')} in the stage {subject}`,
  },
  'stage.make': { label: 'Created a stage', sentence: () => 'Created the stage {subject}' },
  'stage.reset-next': {
    label: 'Reset the order of a stage',
    sentence: ({ items }) => `Reset the order of ${count(items, 'item')} in the stage {subject}`,
  },
  'stage.select-next': {
    label: 'Selected the next images with a model',
    sentence: ({ model }) => `Selected the next images of the stage {subject} with the model${quoted(model)}`,
  },
  'translation.import': {
    label: 'Imported translations',
    sentence: ({ language }) => `Imported translations (${text(language)})`,
  },
  'translation.save': {
    label: 'Saved translations',
    sentence: ({ language }) => `Saved translations (${text(language)})`,
  },
  'version.describe': {
    label: 'Described a version',
    sentence: () => 'Changed the description of {subject}',
  },
  'version.export': {
    label: 'Exported a version',
    sentence: ({ format }) => `Exported {subject} as ${text(format)}`,
  },
  'version.freeze': {
    label: 'Froze a version',
    sentence: ({ images, labels }) =>
      `Froze {subject} with ${count(images, 'image')} and ${count(labels, 'label')}`,
  },
  'version.note': { label: 'Added a note to a version', sentence: () => 'Added a note to {subject}' },
  'version.state': {
    label: 'Documented a version',
    sentence: () => 'Changed the documentation of {subject}',
  },
  'version.tag': { label: 'Tagged a version', sentence: ({ tag }) => `Tagged {subject} as${quoted(tag)}` },
  'version.untag': {
    label: 'Removed a tag from a version',
    sentence: ({ tag }) => `Removed the tag${quoted(tag)} from {subject}`,
  },
  'work.ask-again': {
    label: 'Asked other workers again',
    sentence: ({ answers }) => `Asked other workers about ${count(answers, 'answer')} of {subject} again`,
  },
  'work.confirm': {
    label: 'Requested confirmation of earlier work',
    sentence: ({ items }) => `Requested second answers to ${count(items, 'item')} of {subject}`,
  },
  'worker.end': { label: 'Stopped a worker', sentence: () => 'Stopped the worker {subject}' },
  'worker.hint': { label: 'Sent a hint to a worker', sentence: () => 'Sent a hint to {subject}' },
  'worker.pause': { label: 'Paused a worker', sentence: () => 'Paused the worker {subject}' },
  'worker.refresher': {
    label: 'Assigned a refresher to a worker',
    sentence: () => 'Assigned a refresher to {subject}',
  },
  'worker.resume': { label: 'Resumed a worker', sentence: () => 'Let the worker {subject} continue' },
};

/** `stage.make` as "Stage: make", for verbs of a newer or older release. */
const plainWords = (verb: string): string => {
  const [subject = '', act = ''] = verb.replaceAll('-', ' ').split('.');
  return `${subject.charAt(0).toUpperCase()}${subject.slice(1)}${act ? `: ${act}` : ''}`;
};

export const describeVerb = (verb: string): string => wordings[verb]?.label ?? plainWords(verb);

/** What `{subject}` becomes while the row still exists. */
const unnamed: Record<string, string> = {
  audit: 'an audit sample',
  export: 'a version',
  user: 'a person',
  gold: 'an image',
  label: 'an image',
  version: 'a version',
};

export function describeActivity(entry: ActivityEntry, subjects: Subjects): SentencePart[] {
  const wording = wordings[entry.verb];
  const sentence = wording?.sentence?.(entry.detail) ?? describeVerb(entry.verb);
  const [before = '', after] = sentence.split('{subject}');
  if (after === undefined) return [{ text: before }];
  const subject = subjects.get(keyOf(entry)) ?? {
    text: text(entry.detail.name) || (unnamed[entry.subject] ?? `(deleted ${entry.subject})`),
  };
  return [{ text: before }, subject, { text: after }].filter((part) => part.text !== '');
}

export type Subjects = ReadonlyMap<string, SentencePart>;

const keyOf = ({ subject, subjectId }: Pick<ActivityEntry, 'subject' | 'subjectId'>) =>
  `${subject} ${subjectId}`;

const { evaluations, exports, gold, images, items, jobs, labels, memberships, models, runs, stages } = tables;

/** Names and pages of what the entries of a project are about, in one statement. Rows that are gone are missing. */
export async function findSubjects(
  db: Db,
  projectId: string,
  entries: readonly ActivityEntry[],
): Promise<Subjects> {
  const idsOf = (subject: string) =>
    sql`(${JSON.stringify([
      ...new Set(
        entries.flatMap((entry) => (entry.subject === subject && entry.subjectId ? [entry.subjectId] : [])),
      ),
    ])}::jsonb) as wanted(id)`;
  const wanted = (subject: string) => sql`jsonb_array_elements_text${idsOf(subject)}`;
  const found = await db.execute<{ subject: string; id: string; name: string; path: string | null }>(sql`
    select 'user' as subject, wanted.id, u.name, case when m.role is null then null else '/crowd/' || wanted.id end as path
      from ${wanted('user')} join ${tables.users} u on u.id::text = wanted.id
      left join ${memberships} m on m.user_id = u.id and m.project_id = ${projectId} and m.role = 'worker'
    union all select 'label', wanted.id, i.name, '/images/' || i.id from ${wanted('label')}
      join ${labels} l on l.id::text = wanted.id join ${images} i on i.id = l.image_id and i.project_id = ${projectId}
    union all select 'gold', wanted.id, i.name, '/images/' || i.id from ${wanted('gold')}
      join ${gold} g on g.id::text = wanted.id and g.project_id = ${projectId}
      join ${items} q on q.id = g.item_id join ${images} i on i.id = q.image_id
    union all select 'version', wanted.id, 'version ' || v.number, '/data/' || v.number from ${wanted('version')}
      join ${tables.versions} v on v.id::text = wanted.id and v.project_id = ${projectId}
    union all select 'export', wanted.id, 'version ' || v.number, '/data/' || v.number from ${wanted('export')}
      join ${exports} e on e.id::text = wanted.id
      join ${tables.versions} v on v.id = e.version_id and v.project_id = ${projectId}
    union all select 'run', wanted.id, r.name, '/runs/' || r.id from ${wanted('run')}
      join ${runs} r on r.id::text = wanted.id and r.project_id = ${projectId}
    union all select 'model', wanted.id, o.name, '/models/' || o.id from ${wanted('model')}
      join ${models} o on o.id::text = wanted.id and o.project_id = ${projectId}
    union all select 'evaluation', wanted.id, e.suite || ' of ' || o.name, '/evaluations/' || e.id
      from ${wanted('evaluation')} join ${evaluations} e on e.id::text = wanted.id and e.project_id = ${projectId}
      join ${models} o on o.id = e.model_id
    union all select 'stage', wanted.id, s.name, null from ${wanted('stage')}
      join ${stages} s on s.id::text = wanted.id and s.project_id = ${projectId}
    union all select 'audit', wanted.id, 'an audit sample', '/audit/samples/' || a.id from ${wanted('audit')}
      join ${tables.audits} a on a.id::text = wanted.id and a.project_id = ${projectId}
    union all select 'job', wanted.id, j.title, null from ${wanted('job')}
      join ${jobs} j on j.id::text = wanted.id and j.project_id = ${projectId}`);
  return new Map(
    found.rows.map(({ subject, id, name, path }) => [
      keyOf({ subject, subjectId: id }),
      { text: name, ...(path !== null && { path }) },
    ]),
  );
}
