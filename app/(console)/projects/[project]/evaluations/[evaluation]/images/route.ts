import { redirect } from 'next/navigation';
import { pageEvaluation } from '../page-evaluation';

type Context = { params: Promise<{ project: string; evaluation: string }> };

/** The images of an evaluation are the gallery of its page: where the breadcrumb of an image leads. */
export async function GET(_: Request, { params }: Context): Promise<Response> {
  const { project, evaluation } = await params;
  await pageEvaluation(project, evaluation);
  redirect(`/projects/${project}/evaluations/${evaluation}#gallery`);
}
