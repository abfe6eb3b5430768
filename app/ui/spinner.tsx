/** A ring over the dimmed page, with a text below it. Scripts show it while a request is under way. */
export function Spinner() {
  return (
    <div data-spinner>
      <div className="spinner-card">
        <div className="spinner-ring" />
        <p role="status" className="spinner-text" />
      </div>
    </div>
  );
}
