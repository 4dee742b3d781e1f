package webtest

// AcceptTable holds Accept fields and the media types that a page, which has HTML
// first, and an API address, which has JSON first, answer with; "" is 406. Lines of
// a field are separated by newlines.
var AcceptTable = []struct{ Accept, Page, API string }{
	{"", "text/html", "application/json"},
	{"*/*", "text/html", "application/json"},
	{"*", "text/html", "application/json"},
	{"text/html", "text/html", "text/html"},
	{"TEXT/HTML", "text/html", "text/html"},
	{"application/json", "application/json", "application/json"},
	{"Application/JSON", "application/json", "application/json"},
	{"text/markdown", "text/markdown", "text/markdown"},
	{"TEXT/MARKDOWN", "text/markdown", "text/markdown"},
	{"text/markdown; charset=utf-8", "text/markdown", "text/markdown"},
	{`text/markdown;charset="UTF-8"`, "text/markdown", "text/markdown"},
	{"text/markdown;q=1.0", "text/markdown", "text/markdown"},
	{" text/markdown ", "text/markdown", "text/markdown"},
	{"text/*", "text/html", "text/markdown"},
	{"application/*", "application/json", "application/json"},
	{"application/problem+json", "application/json", "application/json"},
	// Quality.
	{"text/html;q=0.5, text/markdown", "text/markdown", "text/markdown"},
	{"text/html;q=0.5, text/markdown;q=0.9, application/json;q=0.7", "text/markdown", "text/markdown"},
	{"application/json;q=0.2, */*;q=0.1", "application/json", "application/json"},
	{"text/html;q=0.001, text/markdown;q=0.002", "text/markdown", "text/markdown"},
	{"text/markdown;Q=0.3, text/html;q=0.2", "text/markdown", "text/markdown"},
	{"text/html;level=1;q=0.4, text/markdown;q=0.3", "text/markdown", "text/markdown"},
	// What is named outranks what a wildcard covers.
	{"application/json, */*", "application/json", "application/json"},
	{"application/json, text/plain, */*", "application/json", "application/json"},
	{"*/*, text/markdown", "text/markdown", "text/markdown"},
	{"text/*;q=0.3, text/html;q=0.7, text/html;level=1, */*;q=0.5", "text/html", "text/html"},
	{"text/*, application/json;q=0.9", "text/html", "text/markdown"},
	{"text/markdown, text/html, */*", "text/markdown", "text/markdown"},
	{"text/html, text/markdown", "text/html", "text/html"},
	// Refusals.
	{"text/html;q=0, */*", "text/markdown", "application/json"},
	{"*/*, text/html;q=0", "text/markdown", "application/json"},
	{"text/html;q=0.0, text/*", "text/markdown", "text/markdown"},
	{"application/json;q=0, */*;q=0.1", "text/html", "text/markdown"},
	{"text/html;q=0", "", ""},
	{"*/*;q=0", "", ""},
	{"text/*;q=0, application/json", "application/json", "application/json"},
	{"image/png", "", ""},
	{"image/*", "", ""},
	{"application/xml, image/webp", "", ""},
	{"application/pdf;q=0.9, text/css", "", ""},
	// Several lines are one list.
	{"image/png\ntext/markdown", "text/markdown", "text/markdown"},
	{"text/html;q=0.1\napplication/json;q=0.2", "application/json", "application/json"},
	{"text/html;q=0\n*/*", "text/markdown", "application/json"},
	// Parameters narrow; but an answer is worth more than a 406.
	{"text/html;level=1, text/markdown;q=0.1", "text/markdown", "text/markdown"},
	{"application/json; indent=4", "application/json", "application/json"},
	{`text/markdown; variant="a,b;c", text/html;q=0.1`, "text/html", "text/html"},
	{"text/markdown; charset=iso-8859-1, text/html;q=0.2", "text/html", "text/html"},
	// Browsers and libraries.
	{"text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7", "text/html", "text/html"},
	{"text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2", "text/html", "text/html"},
	// What cannot be read is overlooked.
	{"nonsense", "text/html", "application/json"},
	{",,,", "text/html", "application/json"},
	{";q=1", "text/html", "application/json"},
	{"text/html;q=2, text/markdown", "text/markdown", "text/markdown"},
	{"text/html;q=abc, application/json", "application/json", "application/json"},
	{"*/html, text/markdown", "text/markdown", "text/markdown"},
	{"text/, text/markdown", "text/markdown", "text/markdown"},
}
