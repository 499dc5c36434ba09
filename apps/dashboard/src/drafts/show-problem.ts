/** Brings to sight what a form can't be sent with, also where it lies in closed details, and puts the focus there. */
export function showFirstProblem(form: HTMLElement): void {
  const wrong = form.querySelector<HTMLElement>('[aria-invalid="true"], [data-wrong] :is(input, button)');
  for (let around = wrong?.closest('details'); around; around = around.parentElement?.closest('details')) {
    around.open = true;
  }
  wrong?.focus();
}
