import { redirect } from 'next/navigation';
import { pageEvaluation } from '../page-evaluation';

type Context = { params: Promise<{ project: string; evaluation: string }> };

/** Redirects the breadcrumb of an image to the gallery on the page of the evaluation. */
export async function GET(_: Request, { params }: Context): Promise<Response> {
  const { project, evaluation } = await params;
  await pageEvaluation(project, evaluation);
  redirect(`/projects/${project}/evaluations/${evaluation}#gallery`);
}
